import { isCertain, measured } from '../../base/output/width.ts'
import { memoize } from './memoize.ts'

export interface Cell {
  readonly text: string
  /** Parameters of its Select Graphic Rendition, in order, e.g. `38;5;210;1`; empty: plain. */
  readonly style: string
}

export interface CellLine {
  readonly cells: readonly Cell[]
  /** Terminals disagree on its width, so it is always written whole. */
  readonly isUncertain: boolean
}

const sgr = /\u001b\[([0-9;:]*)m/y
/** The reset code of an attribute (ECMA-48); bold and dim share one and may be combined. */
const endOf = (code: string): string => {
  const [first] = code.split(';')
  const number = Number(first)
  if (number === 1 || number === 2) return '22'
  if (number < 10) return String(number + 20)
  const tens = Math.floor(number / 10)
  return tens === 3 || tens === 9 ? '39' : tens === 4 || tens === 10 ? '49' : '0'
}
const ends: readonly string[] = ['22', '23', '24', '25', '27', '28', '29', '39', '49']

export function* styledRuns(painted: string): Generator<{ text: string; style: string }> {
  let style = ''
  let at = 0
  while (at < painted.length) {
    sgr.lastIndex = at
    const code = sgr.exec(painted)
    if (code) {
      style = styleAfter(`${style} ${code[1]}`)
      at += code[0].length
      continue
    }
    const next = painted.indexOf('\u001b', at + 1)
    const end = next < 0 ? painted.length : next
    yield { text: painted.slice(at, end), style }
    at = end
  }
}

const control = /[\u0000-\u001f\u007f-\u009f]/g
const maxChanges = 400
const styleAfter = memoize(maxChanges, (change) => {
  const [style = '', parameters = ''] = change.split(' ')
  return applied(style, parameters)
})

const maxCharacters = 1000
/** One shared object per cell. */
const cellsIn = memoize(maxChanges, (style) => memoize(maxCharacters, (text): Cell => ({ text, style })))

export function toCells(painted: string): CellLine {
  const cells: Cell[] = []
  let isUncertain = false
  for (const { text, style } of styledRuns(painted)) {
    // Shown texts have none (`plainText`). If one came nevertheless, a terminal would obey it.
    const run = text.replace(control, '')
    const cellOf = cellsIn(style)
    if (isCertain(run)) {
      for (const text of run) cells.push(cellOf(text))
      continue
    }
    isUncertain = true
    for (const [text, width] of measured(run)) {
      const last = cells.at(-1)
      if (width === 0) {
        if (last) cells[cells.length - 1] = { ...last, text: last.text + text }
        continue
      }
      cells.push(cellOf(text))
      for (let more = 1; more < width; more++) cells.push(cellOf(''))
    }
  }
  return { cells, isUncertain }
}

/** Applies an SGR code: replaces attributes of its kind. */
function applied(style: string, parameters: string): string {
  return codesOf(parameters)
    .reduce<string[]>(
      (active, code) => {
        if (code === '' || code === '0') return []
        if (ends.includes(code)) return active.filter((one) => endOf(one) !== code)
        const end = endOf(code)
        return [...active.filter((one) => (end === '22' ? one !== code : endOf(one) !== end)), code]
      },
      style === '' ? [] : codesOf(style),
    )
    .join(';')
}

/** `38;5;210;1` as `38;5;210` and `1`. */
function codesOf(parameters: string): string[] {
  return parameters === ''
    ? ['']
    : [...parameters.matchAll(/[34]8;5;\d+|[34]8;2;\d+;\d+;\d+|[^;]+/g)].map(([code]) => code)
}
