import { plainText } from '@qd/core/fields'
import type { ItemState, RunItem } from '@qd/core/resources'
import { itemTexts } from '@qd/core/view'
import { useTexts } from '../../../base/state/texts.ts'
import type { AnyIcon } from '../../../ui/drawings/Icon.tsx'

const icons = {
  waiting: 'clock',
  sent: 'arrow-up',
  running: undefined,
  success: 'check',
  failure: 'x',
  no_answer: 'minus',
} as const satisfies Record<ItemState, AnyIcon | undefined>

/** The icon of a state (tokens.md 2); running parts have a spinner. */
export const stateIcon = (state: ItemState): AnyIcon | undefined => icons[state]

/** What is said of a server’s part of a run. */
export function useItemText() {
  const texts = useTexts()
  return (item: RunItem) => itemTexts(item, texts)
}

/** Lines of an output with control characters escaped and the last newline dropped. */
export function outputLines(output: string): readonly string[] {
  if (output === '') return []
  return output.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n').map(plainText)
}

export const linesShown = 20
