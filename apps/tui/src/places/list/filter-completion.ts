import type { Resource, View } from '@qd/core/define'
import { completions } from '@qd/core/targets'
import type { TextInput } from '../../screen/terminal/text-input.ts'

export function createFilterCompletion(resource: Resource, view: View) {
  let begun: { text: string; at: number } | null = null
  const found = (text: string) => completions(resource, text, text.length, view)
  return {
    choices: (text: string) => found(text).items.map((item) => item.text),
    forget() {
      begun = null
    },
    /** Inserts the next choice; Tab again replaces it. */
    next(input: TextInput, by: 1 | -1) {
      begun ??= { text: input.text, at: by > 0 ? -1 : 0 }
      const { from, to, items } = found(begun.text)
      if (items.length === 0) return
      begun.at = (begun.at + by + items.length) % items.length
      input.set(begun.text.slice(0, from) + items[begun.at]!.text + begun.text.slice(to))
      // A single choice is final: the next Tab completes what follows.
      if (items.length === 1) begun = null
    },
  }
}
