import type { Tone } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { asciiText } from '../terminal/ascii.ts'
import { keyText } from './key-text.ts'
import type { Ui } from './ui.ts'

/** Words for a screen reader: what changed, once, as lines one below the other (behaviour T-29). */
export interface Speaker {
  /** Something may have changed. */
  changed(): void
  /** A person pressed a key: where they are now is said, also when only its text changed. */
  pressed(): void
  stop(): void
}

/** So long nothing may come before it is said: keys of one word, a list that is still on its way. */
const quietMs = 150
const flashKeys: Readonly<Record<Tone, 'note' | 'error' | 'done'>> = {
  plain: 'note',
  muted: 'note',
  accent: 'note',
  ok: 'done',
  warn: 'note',
  bad: 'error',
}

/** Builds one. Figures that change by themselves are not said: only what a person did, and messages. */
export function createSpeaker(ui: Ui, write: (text: string) => void): Speaker {
  let said: Readonly<Record<'place' | 'top' | 'keys' | 'flash' | 'lost', string>> = {
    place: '',
    top: '',
    keys: '',
    flash: '',
    lost: '',
  }
  let isPressed = false
  let cancel: (() => void) | null = null

  const speak = () => {
    cancel = null
    const { t } = ui.desk.translator
    const { screen, overlay, flash, undo } = ui
    const top = overlay ?? screen
    const count = screen?.count(false) ?? ''
    const place = [...(screen?.place() ?? []), count].filter(Boolean).join(', ')
    const hints = top?.hints().map(({ chord, label }) => `${keyText(ui, chord)} ${label}`) ?? []
    const text = flash?.text ?? undo?.text ?? ''
    const now = {
      place: t('ui.tui.spoken.screen', { text: place }),
      keys: t('ui.tui.spoken.keys', { text: hints.join(', ') }),
      top: (top?.spoken?.() ?? []).map(plainText).join('\n'),
      flash: text === '' ? '' : t(`ui.tui.spoken.${flashKeys[flash?.tone ?? 'ok']}`, { text }),
      lost: ui.desk.loss() === null ? '' : t('ui.tui.spoken.error', { text: t('ui.tui.lost.trying') }),
    }
    const isElsewhere = now.place !== said.place || now.keys !== said.keys
    const lines = [
      now.lost !== said.lost ? now.lost : '',
      now.place !== said.place ? now.place : '',
      now.top !== said.top && (isPressed || isElsewhere || said.top === '') ? now.top : '',
      now.keys !== said.keys ? now.keys : '',
      now.flash !== said.flash ? now.flash : '',
    ].filter(Boolean)
    isPressed = false
    said = now
    const shown = ui.look.ascii ? lines.map((line) => line.split('\n').map(asciiText).join('\n')) : lines
    if (shown.length > 0) write(`${shown.join('\n').replaceAll('\n', '\r\n')}\r\n`)
  }
  const later = (isAgain: boolean) => {
    if (cancel && !isAgain) return
    cancel?.()
    cancel = ui.io.setTimer(speak, quietMs)
  }
  return {
    changed: () => later(false),
    pressed() {
      isPressed = true
      later(true)
    },
    stop: () => cancel?.(),
  }
}
