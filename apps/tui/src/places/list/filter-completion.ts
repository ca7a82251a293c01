import type { Resource, View } from '@qd/core/define'
import { completions } from '@qd/core/targets'
import type { TextInput } from '../../screen/terminal/text-input.ts'

/** Tab in the filter line: what may stand next, and taking it over. */
export interface FilterCompletion {
  /** Takes over the next choice; Tab again takes the one after it in its place. */
  next(input: TextInput, by: 1 | -1): void
  /** What may stand at the end of the text, best first. */
  choices(text: string): readonly string[]
  /** Something else was typed. */
  forget(): void
}

/** Completion of the filter of one list, from the same words as the web console's. */
export function createFilterCompletion(resource: Resource, view: View): FilterCompletion {
  let begun: { text: string; at: number } | null = null
  const found = (text: string) => completions(resource, text, text.length, view)
  return {
    choices: (text) => found(text).items.map((item) => item.text),
    forget() {
      begun = null
    },
    next(input, by) {
      begun ??= { text: input.text, at: by > 0 ? -1 : 0 }
      const { from, to, items } = found(begun.text)
      if (items.length === 0) return
      begun.at = (begun.at + by + items.length) % items.length
      input.set(begun.text.slice(0, from) + items[begun.at]!.text + begun.text.slice(to))
      // What was the only choice is settled: the next Tab goes on behind it.
      if (items.length === 1) begun = null
    },
  }
}
