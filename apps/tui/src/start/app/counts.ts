import type { Cancel, Clock, KeyBinding } from '@qd/core/actions'

/** A digit waits so long for a motion (`5j`) or a second digit, where a number alone is the number of a list. */
export const digitMs = 600
/** Further than any list is worth going by hand. */
const most = 9999

const motions: readonly string[] = [
  'next',
  'previous',
  'extendDown',
  'extendUp',
  'pageDown',
  'pageUp',
  'halfDown',
  'halfUp',
  'findNext',
  'findPrevious',
]
/** With a number these go to that row, counted from the first. */
const places: readonly string[] = ['first', 'last']

/** Numbers that are typed before a key. */
export interface Counts {
  /** True when the key was a digit that waits now. */
  take(chord: string): boolean
  /** The row that a key goes to because of the number before it, which is used up then; null if the key goes to no row or has no number. */
  placeOf(binding: KeyBinding): number | null
  /** What a key of the table means with the number before it, which is used up. */
  commandsOf(binding: KeyBinding): readonly KeyBinding['command'][]
  /** Drops the number that waits; false if none did. */
  forget(): boolean
}

/** Builds it; `onShow` hears what waits. Where numbers alone lead somewhere, `onAlone` hears the one that no motion followed; elsewhere a number waits for its motion. */
export function createCounts(options: {
  clock: Clock
  onShow(text: string | null): void
  leads(): boolean
  onAlone(number: number): void
}): Counts {
  let typed = ''
  let cancel: Cancel = () => undefined
  const end = () => {
    cancel()
    const isTyped = typed !== ''
    if (isTyped) options.onShow(null)
    typed = ''
    return isTyped
  }
  return {
    take(chord) {
      if (!/^\d$/.test(chord) || (chord === '0' && typed === '')) return false
      cancel()
      typed = `${typed}${chord}`.slice(0, 5)
      options.onShow(typed)
      if (!options.leads()) return true
      cancel = options.clock.setTimer(() => {
        const number = Number(typed)
        end()
        options.onAlone(number)
      }, digitMs)
      return true
    },
    placeOf({ command }) {
      if (typed === '' || !places.includes(command)) return null
      const place = Number(typed)
      end()
      return place
    },
    commandsOf({ command }) {
      const count = Math.min(most, Number(typed))
      end()
      if (count > 0 && motions.includes(command)) return Array.from({ length: count }, () => command)
      if (count > 0 && places.includes(command))
        return ['first', ...Array.from({ length: count - 1 }, () => 'next' as const)]
      return [command]
    },
    forget: end,
  }
}
