import type { AnyRow, Tone } from '@qd/core/define'
import { server } from '@qd/core/resources'
import type { TerminalState } from '@qd/core/shells'
import type { Ref } from 'react'
import { capsOf } from '../act/keys/keys.ts'
import { notify, overlays$ } from '../base/state/overlays.ts'
import { view } from '../base/state/stores.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Menu } from '../ui/overlays/Menu.tsx'
import { StateMark } from '../ui/StateMark.tsx'
import { normalFontSize, toFontSize } from './choices.ts'
import type { Shell, ShellView } from './shell.ts'
import * as css from './TerminalPage.css.ts'

export const toneOf: Readonly<Record<TerminalState['status'], Tone>> = {
  opening: 'accent',
  live: 'ok',
  lost: 'warn',
  refused: 'bad',
  ended: 'muted',
}

export function TerminalTop({
  ref,
  id,
  name,
  row,
  shell,
  view: { state, size, choices },
  onSearch,
  onFiles,
}: {
  ref: Ref<HTMLElement>
  id: number
  name: string
  row: AnyRow | undefined
  shell: Shell | null
  view: ShellView
  onSearch: () => void
  onFiles: () => void
}) {
  const { t } = useTexts()
  const where = row ? [name, server.derived.address!(row, view)].filter(Boolean).join(' · ') : ''
  const resize = (step: number) => shell?.choose({ fontSize: toFontSize(choices.fontSize + step) })
  const entries = [
    { id: 'paste', label: t('ui.keys.paste'), caps: capsOf('paste'), run: () => void pasteClipboard(shell, t) },
    {
      id: 'copy',
      label: t('ui.keys.copySelection'),
      caps: capsOf('copySelection'),
      run: () => void shell?.copy(),
    },
    { id: 'files', label: t('ui.files.title'), caps: capsOf('terminalFiles'), run: onFiles },
    { id: 'larger', label: t('ui.keys.larger'), caps: capsOf('larger'), ruled: true, run: () => resize(1) },
    { id: 'smaller', label: t('ui.keys.smaller'), caps: capsOf('smaller'), run: () => resize(-1) },
    {
      id: 'normal',
      label: t('ui.keys.normalSize'),
      caps: capsOf('normalSize'),
      run: () => shell?.choose({ fontSize: normalFontSize }),
    },
    { id: 'full', label: t('ui.terminal.fullScreen'), run: () => void toggleFullScreen() },
    {
      id: 'copyOnSelect',
      label: t('ui.terminal.copyOnSelect'),
      chosen: choices.copyOnSelect,
      ruled: true,
      run: () => shell?.choose({ copyOnSelect: !choices.copyOnSelect }),
    },
    {
      id: 'hostClipboard',
      label: t('ui.terminal.hostClipboard'),
      chosen: choices.hostClipboard,
      run: () => shell?.choose({ hostClipboard: !choices.hostClipboard }),
    },
    {
      id: 'screenReader',
      label: t('ui.terminal.screenReader'),
      chosen: choices.screenReader,
      run: () => shell?.choose({ screenReader: !choices.screenReader }),
    },
    { id: 'clear', label: t('ui.terminal.clear'), ruled: true, run: () => shell?.screen.terminal.clear() },
    {
      id: 'save',
      label: t('ui.terminal.save'),
      run: () => shell && save(shell.screen.text(), row ? name : String(id)),
    },
  ]
  return (
    <header className={css.top} ref={ref}>
      <StateMark tone={toneOf[state.status]} label={t(`ui.terminal.state.${state.status}`)} />
      <h1 className={css.heading}>{t('ui.terminal.title', { id: String(id) })}</h1>
      <span className={css.where} title={where}>
        {where}
      </span>
      <span className={css.size} title={t('ui.terminal.sizeTitle')}>
        {t('ui.terminal.size', { cols: size.cols, rows: size.rows })}
      </span>
      <span className={css.grow} />
      <IconButton label={t('ui.keys.search')} icon="search" caps={capsOf('search')} onPress={onSearch} />
      <span className={css.onWide}>
        <IconButton label={t('ui.keys.smaller')} icon="minus" caps={capsOf('smaller')} onPress={() => resize(-1)} />
        <IconButton label={t('ui.keys.larger')} icon="plus" caps={capsOf('larger')} onPress={() => resize(1)} />
        <IconButton
          label={t('ui.frame.palette')}
          icon="command"
          caps={capsOf('terminalPalette')}
          onPress={() => overlays$.palette.set({ mode: 'all' })}
        />
        <IconButton label={t('ui.terminal.fullScreen')} icon="maximize" onPress={() => void toggleFullScreen()} />
      </span>
      <span className={css.onWide}>
        <Button icon="folder" caps={capsOf('terminalFiles')} onPress={onFiles}>
          {t('ui.files.title')}
        </Button>
      </span>
      <Menu label={t('ui.terminal.more')} entries={entries}>
        <IconButton label={t('ui.terminal.more')} icon="ellipsis" />
      </Menu>
    </header>
  )
}

/** For the button only: the browser may ask or refuse, the key never does. */
async function pasteClipboard(shell: Shell | null, t: ReturnType<typeof useTexts>['t']): Promise<void> {
  try {
    shell?.paste(await navigator.clipboard.readText())
  } catch {
    const instead = t('ui.terminal.paste.instead', { keys: capsOf('paste').join(' ') })
    notify({ tone: 'warn', title: t('ui.terminal.paste.denied'), details: [instead] })
  }
}

function save(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = `${name.replace(/[^\p{L}\p{N}._-]+/gu, '-')}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.txt`
  link.click()
  URL.revokeObjectURL(link.href)
}

/** Captures keys that a browser reserves outside full screen. */
interface KeyboardLock {
  lock(): Promise<void>
}

/** Toggles full screen, in which the shell also gets Ctrl+W and the like, where supported (behaviour W-15). */
async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) return document.exitFullscreen()
  try {
    await document.documentElement.requestFullscreen()
    await (navigator as Navigator & { keyboard?: KeyboardLock }).keyboard?.lock()
  } catch {}
}
