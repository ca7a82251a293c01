import { chordOf, type KeyStroke, normalChord, type Platform } from './chords.ts'
import type { Cancel, Clock } from './clock.ts'
import type { KeyBinding } from './keymap.ts'
import type { Layer } from './keys.ts'

/** How long the second key of a sequence may take (behavior P-29). */
export const sequenceMs = 1000

/** Turns key presses into commands. The web uses it in the capture phase (trap W2). */
export interface Dispatcher {
  /** Returns whether the press was handled and must not propagate. */
  handle(stroke: KeyStroke): boolean
  cancel(): void
}

export interface DispatcherOptions {
  bindings(): readonly KeyBinding[]
  layer(): Layer
  /** Whether a field, editor, select or terminal has the focus; single keys are then off (behavior P-35). */
  isTyping(): boolean
  platform: Platform
  clock: Clock
  onCommand(binding: KeyBinding): void
  /** A sequence started with this chord, or ended (null). */
  onPending?(prefix: string | null): void
}

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
      // The last key of an unknown sequence does nothing else.
      return wasPending
    },
  }
}
