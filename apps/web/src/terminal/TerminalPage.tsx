import { useValue } from '@legendapp/state/react'
import { plainText, titleOf } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { isOnline, server } from '@qd/core/resources'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useParams } from 'react-router-dom'
import { onCommands } from '../act/keys/commands.ts'
import { navigate } from '../act/places/navigate.ts'
import { platform } from '../base/ports.ts'
import { lazyPart } from '../base/state/lazy-part.ts'
import { overlays$ } from '../base/state/overlays.ts'
import { live, records } from '../base/state/stores.ts'
import { useTexts } from '../base/state/texts.ts'
import { normalFontSize, toFontSize } from './choices.ts'
import { KeyBar } from './KeyBar.tsx'
import { NotConnected } from './NotConnected.tsx'
import { Completed, ShellQuestion } from './Questions.tsx'
import { SearchBar } from './SearchBar.tsx'
import { ShellNotice } from './ShellNotice.tsx'
import { TerminalHints } from './TerminalHints.tsx'
import * as css from './TerminalPage.css.ts'
import { TerminalTop } from './TerminalTop.tsx'
import { useShell } from './use-shell.ts'

const FilePanel = lazyPart(async () => (await import('../files/FilePanel.tsx')).FilePanel)

/** A window with a shell of one server (product spec, section 2). */
export function TerminalPage() {
  const { t } = useTexts()
  const id = Number(useParams().id)
  const { element, shell, view } = useShell(id)
  const { state, choices, held, link, found, asked } = view
  const [isSearching, setSearching] = useState(false)
  const {
    path,
    asked: filesAsked,
    hasFiles,
    openFiles,
    closeFiles,
    onPath,
  } = useFiles(() => shell?.screen.terminal.focus())
  const top = useRef<HTMLElement>(null)
  const row = useValue(() => records.row$('server', id).get())
  const isUp = useValue(() => isConnected(id))
  const name = row ? titleOf(server, row) : `#${id}`
  const isRefused = state.status === 'refused'
  const isGone = state.status === 'refused' && (!isUp || isNotConnected(state.error))
  const wasUp = useRef(isUp)
  const endSearch = () => {
    setSearching(false)
    shell?.screen.terminal.focus()
  }
  const resize = (step: number) => shell?.choose({ fontSize: toFontSize(choices.fontSize + step) })

  useEffect(() => {
    document.title = `${name} · ${t('ui.terminal.title', { id: String(id) })}`
  }, [name, id, t])
  // The moment at which the server comes back opens the shell that was refused before.
  useEffect(() => {
    if (isUp && !wasUp.current && isRefused) shell?.reconnect()
    wasUp.current = isUp
  }, [isUp, isRefused, shell])
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
          {hasFiles && <FilePanel server={id} path={path} asked={filesAsked} onClose={closeFiles} onPath={onPath} />}
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

/** The file panel of the window: open where the address has a path, which follows the folder on screen. Its key goes there and back. */
function useFiles(toShell: () => void) {
  const { key, search } = useLocation()
  const given = new URLSearchParams(search).get('path')
  const [{ start, asked }, setShown] = useState({ start: given, asked: key })
  // Another address of the same page, as the palette leads to.
  if (asked !== key) setShown({ start: given ?? start, asked: key })
  const setStart = (path: string | null) => setShown((shown) => ({ ...shown, start: path }))
  const write = (path: string | null) => {
    const search = new URLSearchParams(location.search)
    if (path === null) search.delete('path')
    else search.set('path', path)
    history.replaceState(history.state, '', `${location.pathname}${search.size === 0 ? '' : `?${search}`}`)
  }
  return {
    path: start ?? '',
    asked,
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

/** A browser closes only windows that a page has opened; from any other one the way leads to the list. */
function closeWindow(): void {
  window.close()
  if (!window.closed) navigate('/dashboard')
}
