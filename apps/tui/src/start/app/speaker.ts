import { trackSelector } from '@legendapp/state'
import type { Tone } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { keyText } from '../../screen/state/actions.ts'
import type { Frames } from '../../screen/state/frames.ts'
import { hintsOf, hintText } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { asciiText } from '../../screen/terminal/ascii.ts'

/** Debounce: typed words, loading lists. */
const quietMs = 150
const flashKeys: Readonly<Record<Tone, 'note' | 'error' | 'done'>> = {
  plain: 'note',
  muted: 'note',
  accent: 'note',
  ok: 'done',
  warn: 'note',
  bad: 'error',
}

/** Speaks messages and what the user did, not figures that change by themselves. */
export function createSpeaker(
  ui: Ui,
  { write, beat$, request }: { write(text: string): void } & Pick<Frames, 'beat$' | 'request'>,
) {
  let said = { place: '', top: '', keys: '', flash: '', lost: '' }
  let where: readonly unknown[] = []
  let isPressed = false
  let wasComing = false
  let cancel: (() => void) | null = null
  let stopLooking = () => {}
  /** Waits until the viewer is known. */
  const isStarting = () => ui.workspace.session.state$.status.peek() === 'unknown' && ui.workspace.loss() === null

  const look = () => {
    beat$.get()
    const { t } = ui.workspace.translator
    const { screen, overlay, flash, undo } = ui
    if (isStarting() || (overlay === null && screen?.waits?.())) return null
    const top = overlay ?? screen
    const count = screen?.count?.(false) ?? ''
    const place = [...(screen?.place() ?? []), count].filter(Boolean).join(', ')
    const hints = hintsOf(top).map(([chord, hint]) => `${keyText(ui, chord)} ${hintText(ui.workspace, hint)}`)
    const text = flash?.text ?? undo?.text ?? ''
    return {
      screen,
      overlay,
      now: {
        place: t('ui.tui.spoken.screen', { text: place }),
        keys: t('ui.tui.spoken.keys', { text: hints.join(', ') }),
        top: (top?.spoken?.() ?? []).map(plainText).join('\n'),
        flash: text === '' ? '' : t(`ui.tui.spoken.${flashKeys[flash?.tone ?? 'ok']}`, { text }),
        lost: ui.workspace.loss() === null ? '' : t('ui.tui.spoken.error', { text: t('ui.tui.lost.trying') }),
      },
      comes: overlay === null && (screen?.comes?.() ?? false),
    }
  }
  const speak = () => {
    cancel = null
    stopLooking()
    const looked = trackSelector(look, request)
    stopLooking = looked.dispose!
    if (!looked.value) return
    const { now, screen, overlay, comes } = looked.value
    const isElsewhere = where[0] !== screen || where[1] !== overlay
    const isMeant = isPressed || isElsewhere
    const changed = (part: keyof typeof now) => (now[part] === said[part] ? '' : now[part])
    const isNew = isMeant || said.top === ''
    const came = () => {
      const known = said.top.split('\n')
      return now.top
        .split('\n')
        .filter((line) => !known.includes(line))
        .join('\n')
    }
    const lines = [
      changed('lost'),
      changed('place'),
      isNew ? changed('top') : wasComing ? came() : '',
      isMeant ? changed('keys') : '',
      changed('flash'),
    ].filter(Boolean)
    isPressed = false
    where = [screen, overlay]
    const isSaid = isNew || wasComing
    wasComing = comes
    // Compares with what was said, not with what changed since.
    said = { ...now, top: isSaid ? now.top : said.top, keys: isMeant ? now.keys : said.keys }
    const shown = ui.style.ascii ? lines.map((line) => line.split('\n').map(asciiText).join('\n')) : lines
    if (shown.length > 0) write(`${shown.join('\n').replaceAll('\n', '\r\n')}\r\n`)
  }
  const speakSoon = (isAgain: boolean) => {
    if (cancel && !isAgain) return
    cancel?.()
    cancel = ui.io.setTimer(speak, quietMs)
  }
  return {
    changed: () => speakSoon(false),
    /** Says the place even if only its text changed. */
    pressed() {
      isPressed = true
      speakSoon(true)
    },
    stop() {
      stopLooking()
      cancel?.()
    },
  }
}
