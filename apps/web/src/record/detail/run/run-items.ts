import { furtherReason, type ItemState, type RunItem } from '@qd/core/resources'
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

export function useItemText() {
  const { t, say, format } = useTexts()
  const state = (item: RunItem) => say(`ui.run.states.${item.state}`)
  return {
    /** "failure" */
    state,
    /** "failure, exit 2, 3.1 s" */
    ending: (item: RunItem) =>
      [
        state(item),
        item.exit_code === null ? '' : t('ui.run.exit', { code: String(item.exit_code) }),
        item.duration_ms === null ? '' : format.duration(item.duration_ms / 1000),
      ]
        .filter(Boolean)
        .join(', '),
    /** Why there is no output: "nothing heard since 14:31:15", "offline when it started". */
    silence(item: RunItem) {
      if (item.state === 'sent' && item.started_at)
        return t('ui.run.nothingSince', { time: format.clock(Date.parse(item.started_at)) })
      const reason = furtherReason(item)
      if (reason !== null) return say(`ui.run.reasons.${reason}`)
      return item.state === 'running' ? t('ui.run.noneYet') : t('ui.run.noOutput')
    },
  }
}
