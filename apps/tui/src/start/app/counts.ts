import type { Cancel, Clock, KeyBinding } from '@qd/core/actions'

export const digitMs = 600
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
const places: readonly string[] = ['first', 'last']

/** `onShow` gets the pending number, `onAlone` one without a motion. */
export function createCounts(options: {
  clock: Clock
  onShow(text: string | null): void
  leads(): boolean
  onAlone(number: number): void
}) {
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
    take(chord: string) {
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
    /** The row of `10G`, consuming the number; null without a number or target. */
    placeOf({ command }: KeyBinding) {
      if (typed === '' || !places.includes(command)) return null
      const place = Number(typed)
      end()
      return place
    },
    /** The commands of `5j`, consuming the number. */
    commandsOf({ command }: KeyBinding): readonly KeyBinding['command'][] {
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
