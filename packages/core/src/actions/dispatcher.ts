import { chordOf, type KeyStroke, normalChord, type Platform } from './chords.ts'
import type { Cancel, Clock } from './clock.ts'
import type { KeyBinding } from './keymap.ts'
import type { Layer } from './keys.ts'

/** How long the second key of a sequence may take (behaviour P-29). */
export const sequenceMs = 1000

/** Turns key presses into commands; both front ends use it, the web in the capture phase (trap W2). */
export interface Dispatcher {
  /** True when the press was taken and must go no further. */
  handle(stroke: KeyStroke): boolean
  /** Forgets a sequence that was begun. */
  cancel(): void
}

/** What a dispatcher is built from; everything is asked anew at each press. */
export interface DispatcherOptions {
  bindings(): readonly KeyBinding[]
  layer(): Layer
  /** True while a field, an editor, a select or a terminal has the focus: then single keys rest (behaviour P-35). */
  isTyping(): boolean
  platform: Platform
  clock: Clock
  onCommand(binding: KeyBinding): void
  /** A sequence was begun with this chord, or is over (null); for the hint strip. */
  onPending?(prefix: string | null): void
}

/** Builds a dispatcher. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { platform, clock, onCommand } = options
  let pending: string | null = null
  let cancelTimer: Cancel = () => undefined

  const wait = (prefix: string | null) => {
    cancelTimer()
    if (prefix === null && pending === null) return
    pending = prefix
    if (prefix !== null) cancelTimer = clock.setTimer(() => wait(null), sequenceMs)
    options.onPending?.(prefix)
  }
  const usable = () => {
    const layer = options.layer()
    const isTyping = options.isTyping()
    return options.bindings().filter((binding) => binding.layers.includes(layer) && (!isTyping || binding.whileTyping))
  }
  return {
    cancel: () => wait(null),
    handle(stroke) {
      const pressed = chordOf(stroke)
      if (pressed === null) return false
      const chord = pending === null ? pressed : `${pending} ${pressed}`
      const wasPending = pending !== null
      const spelled = usable().map((binding) => ({ binding, chord: normalChord(binding.chord, platform) }))
      const found = spelled.find((one) => one.chord === chord)
      if (found) {
        wait(null)
        onCommand(found.binding)
        return true
      }
      if (spelled.some((one) => one.chord.startsWith(`${chord} `))) {
        wait(chord)
        return true
      }
      wait(null)
      // A sequence that leads nowhere is over; its last key is not taken for something else.
      return wasPending
    },
  }
}
