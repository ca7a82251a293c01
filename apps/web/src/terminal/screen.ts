import '@xterm/xterm/css/xterm.css'
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import { whenIdle } from '../base/ports.ts'
import { fonts } from '../base/theme/tokens.ts'
import type { Choices } from './choices.ts'
import { leastContrast, matchColors, terminalColors } from './colors.ts'

const { setAttribute } = Element.prototype
const { createElement } = Document.prototype

/** Sets inline styles through the CSSOM, because the CSP forbids the attribute. */
function setStyled(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value
  else setAttribute.call(this, name, value)
}

function createStyled(name: string): HTMLElement {
  const element = createElement.call(document, name)
  if (name === 'style')
    element.nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
  if (name === 'span') element.setAttribute = setStyled
  return element
}

/**
 * Makes elements comply with our CSP (S-22) while a terminal is open: xterm 6 creates style elements without the nonce
 * and sets style attributes, even in a document passed to it. Returns the function that undoes it.
 */
function createStyledElements(): () => void {
  document.createElement = createStyled
  return () => void Reflect.deleteProperty(document, 'createElement')
}

const scrollbackLines = 10_000

export interface Search {
  text: string
  isCase: boolean
  isRegex: boolean
}

export interface SearchResult {
  index: number
  total: number
}

export interface Screen {
  terminal: Terminal
  /** Fits the cells to the room; never below 2 x 2 (behaviour W-02). */
  fit(): void
  choose(choices: Choices): void
  /** Throws a SyntaxError for an invalid regular expression. */
  search(search: Search, direction: 'next' | 'previous', incremental?: boolean): void
  endSearch(): void
  text(): string
  dispose(): void
}

export interface ScreenOptions {
  element: HTMLElement
  choices: Choices
  texts: { input: string; tooMuch: string }
  onLink(url: string | null): void
  onResult(result: SearchResult | null): void
}

const isWeb = (url: string) => /^https?:\/\//i.test(url)

/** Builds a terminal, drawn by WebGL on a real graphics card. */
export function createScreen({ element, choices, texts, onLink, onResult }: ScreenOptions): Screen {
  const onTheme = () => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light')
  const openLink = ({ ctrlKey, metaKey }: MouseEvent, url: string) => {
    if ((ctrlKey || metaKey) && isWeb(url)) window.open(url, '_blank', 'noopener,noreferrer')
  }
  const hover = {
    hover: (_event: MouseEvent, url: string) => onLink(isWeb(url) ? url : null),
    leave: () => onLink(null),
  }
  Terminal.strings.promptLabel = texts.input
  Terminal.strings.tooMuchOutput = texts.tooMuch
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    drawBoldTextInBrightColors: false,
    fontFamily: fonts.mono,
    fontSize: choices.fontSize,
    lineHeight: 1.2,
    linkHandler: { activate: openLink, ...hover },
    macOptionIsMeta: true,
    minimumContrastRatio: leastContrast,
    screenReaderMode: choices.screenReader,
    scrollback: scrollbackLines,
    theme: terminalColors(onTheme()),
  })
  const fitting = new FitAddon()
  const searching = new SearchAddon()
  terminal.loadAddon(fitting)
  terminal.loadAddon(searching)
  terminal.loadAddon(new UnicodeGraphemesAddon())
  terminal.loadAddon(new WebLinksAddon(openLink, hover))
  const restoreElements = createStyledElements()
  terminal.open(element)
  void drawByCard(terminal)
  searching.onDidChangeResults(({ resultIndex, resultCount }) =>
    onResult({ index: resultIndex + 1, total: resultCount }),
  )
  const themes = new MutationObserver(() => {
    terminal.options.theme = terminalColors(onTheme())
  })
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })

  const fit = () => {
    const room = fitting.proposeDimensions()
    if (!room || Number.isNaN(room.cols) || Number.isNaN(room.rows)) return
    terminal.resize(Math.max(2, room.cols), Math.max(2, room.rows))
  }
  return {
    terminal,
    fit,
    choose({ fontSize, screenReader }) {
      terminal.options.screenReaderMode = screenReader
      if (terminal.options.fontSize === fontSize) return
      terminal.options.fontSize = fontSize
      fit()
    },
    search({ text, isCase, isRegex }, direction, incremental = false) {
      if (text === '') return this.endSearch()
      if (isRegex) new RegExp(text)
      // xterm’s search doesn’t notice that only the options changed.
      if (incremental) searching.clearDecorations()
      const options = { caseSensitive: isCase, regex: isRegex, incremental, decorations: matchColors(onTheme()) }
      if (direction === 'next') searching.findNext(text, options)
      else searching.findPrevious(text, options)
    },
    endSearch() {
      searching.clearDecorations()
      terminal.clearSelection()
      onResult(null)
    },
    text: () => scrollbackText(terminal),
    dispose() {
      themes.disconnect()
      terminal.dispose()
      restoreElements()
    },
  }
}

const software = /swiftshader|llvmpipe|softpipe|software|basic render/i

function hasCard(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  const info = gl?.getExtension('WEBGL_debug_renderer_info')
  if (!gl || !info) return false
  const renderer = String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL))
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return !software.test(renderer)
}

/** Software rendering is slower than the DOM, so it is not used; a lost context falls back to the DOM too. */
async function drawByCard(terminal: Terminal): Promise<void> {
  // Asking for a graphics card takes 20 ms, which must not delay the shell.
  await new Promise<void>((resolve) => whenIdle(resolve))
  if (!hasCard()) return
  try {
    const { WebglAddon } = await import('@xterm/addon-webgl')
    const addon = new WebglAddon()
    addon.onContextLoss(() => addon.dispose())
    terminal.loadAddon(addon)
  } catch {}
}

function scrollbackText({ buffer: { normal } }: Terminal): string {
  const lines: string[] = []
  for (let index = 0; index < normal.length; index++) {
    const line = normal.getLine(index)!
    const text = line.translateToString(true)
    if (line.isWrapped && lines.length > 0) lines[lines.length - 1] += text
    else lines.push(text)
  }
  return `${lines.join('\n').trimEnd()}\n`
}
