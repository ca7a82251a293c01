import { useValue } from '@legendapp/state/react'
import { type AnyRow, plainText, type ResourceName, type ShellPlace, titleOf } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { isOnline, server } from '@qd/core/resources'
import { shellTitle, type TerminalState } from '@qd/core/shells'
import { type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { onCommands } from '../act/keys/commands.ts'
import { capsOf } from '../act/keys/keys.ts'
import { holdPage, navigate } from '../act/places/navigate.ts'
import { useSeconds } from '../base/hooks/use-timers.ts'
import { platform } from '../base/ports.ts'
import { lazyPart } from '../base/state/lazy-part.ts'
import { overlays$ } from '../base/state/overlays.ts'
import { live, records } from '../base/state/stores.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button } from '../ui/Button.tsx'
import { foot, hint, hintList, hints } from '../ui/Keycap.css.ts'
import { Keycap } from '../ui/Keycap.tsx'
import { StateMark } from '../ui/StateMark.tsx'
import { normalFontSize, toFontSize } from './choices.ts'
import type { OneShot } from './one-shot.ts'
import { Completed, ShellQuestion } from './Questions.tsx'
import { SearchBar } from './SearchBar.tsx'
import { createShell, emptyView, type Shell, type ShellView } from './shell.ts'
import * as css from './TerminalPage.css.ts'
import { TerminalTop, toneOf } from './TerminalTop.tsx'

const arrows = [
  { name: 'up', sign: '↑', end: 'A' },
  { name: 'down', sign: '↓', end: 'B' },
  { name: 'left', sign: '←', end: 'D' },
  { name: 'right', sign: '→', end: 'C' },
] as const

function KeyBar({ shell, held }: { shell: Shell | null; held: OneShot }) {
  const { t } = useTexts()
  const keys = [
    { id: 'esc', sign: 'Esc', press: () => shell?.type('\u001b') },
    { id: 'tab', sign: 'Tab', press: () => shell?.type('\t') },
    { id: 'ctrl', sign: 'Ctrl', isOn: held.ctrl, press: () => shell?.hold({ ...held, ctrl: !held.ctrl }) },
    { id: 'alt', sign: 'Alt', isOn: held.alt, press: () => shell?.hold({ ...held, alt: !held.alt }) },
    ...arrows.map(({ name, sign, end }) => ({
      id: name,
      sign,
      label: t(`ui.terminal.arrow.${name}`),
      press: () => shell?.type(`\u001b${shell.screen.terminal.modes.applicationCursorKeysMode ? 'O' : '['}${end}`),
    })),
  ]
  return (
    <div className={css.bar} role="toolbar" aria-label={t('ui.terminal.keyBar')}>
      {keys.map(({ id, sign, press, ...more }) => (
        <button
          key={id}
          type="button"
          className={css.key}
          aria-label={'label' in more ? more.label : sign}
          aria-pressed={'isOn' in more ? more.isOn : undefined}
          // The screen keeps the focus, so that the phone’s keyboard stays open.
          onPointerDown={(event) => event.preventDefault()}
          onClick={press}
        >
          {sign}
        </button>
      ))}
    </div>
  )
}

const shown = ['terminalPalette', 'terminalFiles', 'copySelection', 'paste', 'search', 'leave'] as const

const inFiles = ['terminalFiles', 'openEntry', 'look', 'download', 'upload', 'filter', 'jump', 'goToPath'] as const

/** The few keys that don’t go to the shell (behaviour W-15), or the file manager’s while it has the focus. */
function TerminalHints() {
  const { t } = useTexts()
  const isInFiles = useIsInFiles()
  return (
    <footer className={hints} role="contentinfo" aria-label={t('ui.frame.hints')}>
      <span className={hintList}>
        {(isInFiles ? inFiles : shown).map((command) => (
          <span key={command} className={hint}>
            <Keycap caps={capsOf(command)} />
            {t(`ui.keys.${command}`)}
          </span>
        ))}
      </span>
      {!isInFiles && <span className={foot}>{t('ui.terminal.rest')}</span>}
    </footer>
  )
}

function useIsInFiles(): boolean {
  const [is, setIs] = useState(false)
  useEffect(() => {
    const update = () => setIs(document.activeElement?.closest('[data-files]') != null)
    update()
    document.addEventListener('focusin', update)
    return () => document.removeEventListener('focusin', update)
  }, [])
  return is
}

const FilePanel = lazyPart(async () => (await import('../files/FilePanel.tsx')).FilePanel)

export function TerminalPage() {
  const { t } = useTexts()
  const id = Number(useParams().id)
  const inside = usePlace()
  const { element, shell, view } = useShell(id, inside)
  const { state, choices, held, link, found, asked } = view
  const [isSearching, setSearching] = useState(false)
  const { path, requestKey, hasFiles, openFiles, closeFiles, onPath } = useFiles(() => shell?.screen.terminal.focus())
  const top = useRef<HTMLElement>(null)
  const row = useValue(() => records.row$('server', id).get())
  const isUp = useValue(() => isConnected(id))
  const name = shellTitle(row ? titleOf(server, row) : `#${id}`, inside)
  const isGone = state.status === 'refused' && (!isUp || isNotConnected(state.error))
  const endSearch = () => {
    setSearching(false)
    shell?.screen.terminal.focus()
  }
  const resize = (step: number) => shell?.choose({ fontSize: toFontSize(choices.fontSize + step) })

  useEffect(() => {
    document.title = `${name} · ${t('ui.terminal.title', { id: String(id) })}`
  }, [name, id, t])
  useReturn(shell, { status: state.status, isUp, isGone, report: row?.last_active })
  useEffect(() =>
    onCommands({
      terminalPalette: () => overlays$.palette.set((open) => (open ? null : { mode: 'all' })),
      copySelection: () => void shell?.copy(),
      search: () => setSearching(true),
      larger: () => resize(1),
      smaller: () => resize(-1),
      normalSize: () => shell?.choose({ fontSize: normalFontSize }),
      terminalFiles: openFiles,
      leave: () => top.current?.querySelector('button')?.focus(),
    }),
  )

  return (
    <div className={css.app}>
      <TerminalTop
        ref={top}
        id={id}
        name={name}
        row={row}
        shell={shell}
        view={view}
        onSearch={() => setSearching(true)}
        onFiles={openFiles}
      />
      <main className={css.main}>
        <div className={css.screen}>
          <div ref={element} className={css.cells} data-terminal="" data-hidden={isGone ? '' : undefined} />
          {isGone && shell && <NotConnected row={row} onRetry={shell.reconnect} />}
          {isSearching && shell && <SearchBar screen={shell.screen} found={found} onClose={endSearch} />}
          <div className={css.foot}>
            {shell && !isGone && <ShellNotice state={state} onGo={shell.reconnect} />}
            {link !== null && (
              <span className={css.link}>
                {t('ui.terminal.link', { key: platform === 'mac' ? '⌘' : 'Ctrl', url: plainText(link) })}
              </span>
            )}
          </div>
        </div>
        <KeyBar shell={shell} held={held} />
        <Suspense>
          {hasFiles && (
            <FilePanel server={id} path={path} requestKey={requestKey} onClose={closeFiles} onPath={onPath} />
          )}
        </Suspense>
      </main>
      <TerminalHints />
      {shell && asked && <ShellQuestion asked={asked} name={name} onAnswer={shell.answer} />}
      {shell && state.status === 'ended' && state.reason === 'ended' && (
        <Completed onNew={shell.reconnect} onClose={closeWindow} />
      )}
    </div>
  )
}

/** The record on the server in which the shell runs, by the address. */
function usePlace(): ShellPlace | undefined {
  const place = new URLSearchParams(useLocation().search).get('in') ?? ''
  return useMemo(() => {
    const [kind = '', ...name] = place.split('/')
    // The server refuses what it doesn’t know: never open a shell on the host itself instead.
    return place === '' ? undefined : { kind: kind as ResourceName, name: name.join('/') }
  }, [place])
}

/** The file panel, open if the address has a path, which follows the current folder. Its key toggles the focus. */
function useFiles(toShell: () => void) {
  const { key, search } = useLocation()
  const given = new URLSearchParams(search).get('path')
  const [{ start, requestKey }, setShown] = useState({ start: given, requestKey: key })
  if (requestKey !== key) setShown({ start: given ?? start, requestKey: key })
  const setStart = (path: string | null) => setShown((shown) => ({ ...shown, start: path }))
  const write = (path: string | null) => {
    const search = new URLSearchParams(location.search)
    if (path === null) search.delete('path')
    else search.set('path', path)
    history.replaceState(history.state, '', `${location.pathname}${search.size === 0 ? '' : `?${search}`}`)
  }
  return {
    path: start ?? '',
    requestKey,
    hasFiles: start !== null,
    openFiles() {
      const panel = document.querySelector<HTMLElement>('[data-files]')
      if (!panel) setStart('')
      else if (panel.contains(document.activeElement)) toShell()
      else panel.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    },
    closeFiles() {
      setStart(null)
      write(null)
      toShell()
    },
    onPath: useCallback(write, []),
  }
}

function isConnected(id: number): boolean {
  const last = records.row$('server', id).get()?.last_active
  return isOnline({ last_active: typeof last === 'string' ? last : null }, live.now())
}

function isNotConnected({ code, params }: AppError): boolean {
  return code === 'notFound' || params.reason === 'notConnected'
}

/** Retries per return of a server, such as one whose metrics come before it takes commands. */
const maxRetries = 5

/**
 * Requests the shell again when its server reports again. A change from offline to online doesn’t show it: the feed merges what happens
 * at once, and a list may be older than the loss.
 */
function useReturn(
  shell: Shell | null,
  {
    status,
    isUp,
    isGone,
    report,
  }: { status: TerminalState['status']; isUp: boolean; isGone: boolean; report: unknown },
): void {
  const last = useRef({ report, wasGone: false, retries: 0 })
  useEffect(() => {
    const { current } = last
    if (status === 'live' || !isUp) current.retries = 0
    if (status === 'opening') current.report = report
    else if (current.wasGone && isUp && report !== current.report && current.retries < maxRetries) {
      current.retries += 1
      shell?.reconnect()
    }
    current.wasGone = isGone
  }, [shell, status, isUp, isGone, report])
}

/** Browsers close only windows that a script opened; otherwise go to the list. */
function closeWindow(): void {
  window.close()
  if (!window.closed) navigate('/dashboard')
}

function NotConnected({ row, onRetry }: { row: AnyRow | undefined; onRetry: () => void }) {
  const { t, format } = useTexts()
  const seen = row?.last_seen_at
  return (
    <div className={css.gone} role="alert">
      <p className={css.goneText}>{t('ui.terminal.gone')}</p>
      <p className={css.goneNote}>
        {typeof seen === 'string' && `${t('ui.terminal.lastSeen', { time: format.since(seen, live.now()) })} `}
        {t('ui.terminal.waits')}
      </p>
      <Button autoFocus onPress={onRetry}>
        {t('ui.live.tryNow')}
      </Button>
    </div>
  )
}

/** Why there is no shell and how to get one. A shell that ended has its own dialog (behaviour W-10). */
function ShellNotice({ state, onGo }: { state: TerminalState; onGo: () => void }) {
  const { t, format, translator } = useTexts()
  const now = useSeconds(state.status === 'lost')
  if (state.status === 'opening' || state.status === 'live') return null
  if (state.status === 'ended' && state.reason === 'ended') return null
  const words = () => {
    if (state.status === 'ended') return [t('ui.terminal.state.ended'), t(`ui.terminal.end.${state.reason}`)]
    if (state.status === 'refused') {
      const { title, details, hint } = errorText(translator, state.error)
      return [t('ui.terminal.refused'), [title, ...details, hint].filter(Boolean).join(' · ')]
    }
    const wait = Math.max(0, Math.ceil((state.retryAt - now) / 1000))
    const next = wait === 0 ? t('ui.live.trying') : t('ui.live.again', { span: format.duration(wait) })
    return [t('ui.live.lost'), next]
  }
  const [title, text] = words()
  return (
    <div className={css.notice} role="status">
      <StateMark tone={toneOf[state.status]} label="" decorative />
      <b>{title}</b>
      <span className={css.noticeText}>{text}</span>
      <Button size="small" caps={['↵']} onPress={onGo}>
        {t(state.status === 'lost' ? 'ui.live.tryNow' : 'ui.terminal.newShell')}
      </Button>
    </div>
  )
}

/** A server’s shell while mounted. The browser asks before the page is left (behaviour W-13). */
function useShell(
  server: number,
  inside: ShellPlace | undefined,
): {
  element: RefObject<HTMLDivElement | null>
  shell: Shell | null
  view: ShellView
} {
  const element = useRef<HTMLDivElement>(null)
  const [shell, setShell] = useState<Shell | null>(null)
  const [view, setView] = useState(emptyView)
  const isLive = view.state.status === 'live'
  useEffect(() => {
    const made = createShell(element.current!, { server, inside }, setView)
    setShell(made)
    return () => made.close()
  }, [server, inside])
  useEffect(() => (isLive ? holdPage() : undefined), [isLive])
  return { element, shell, view }
}
