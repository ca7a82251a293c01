import { furtherReason, ItemState, type RunItem } from '../resources/index.ts'
import type { Surface } from './cell.ts'

/** What is said of one server’s part of a run; empty where there is nothing to say. `now`: counts while it runs. */
export function itemTexts(
  { state, exit_code, duration_ms, started_at, reason: given }: RunItem,
  { translator, format }: Pick<Surface, 'translator' | 'format'>,
  now?: number,
) {
  const { t, say } = translator
  const reason = furtherReason({ reason: given })
  const startedAt = started_at === null ? null : Date.parse(started_at)
  const runs = now !== undefined && state === ItemState.running && startedAt !== null
  const texts = {
    state: say(`ui.run.states.${state}`),
    exit: exit_code === null ? '' : t('ui.run.exit', { code: String(exit_code) }),
    took:
      duration_ms !== null
        ? format.duration(duration_ms / 1000)
        : runs
          ? format.duration(Math.max(0, Math.round((now - startedAt) / 1000)))
          : '',
    reason: reason === null ? '' : say(`ui.run.reasons.${reason}`),
  }
  /** Why there is no output: "nothing heard since 14:31:15", "offline when it started". */
  const silence =
    state === ItemState.sent && startedAt !== null
      ? t('ui.run.nothingSince', { time: format.clock(startedAt) })
      : texts.reason || t(state === ItemState.running ? 'ui.run.noneYet' : 'ui.run.noOutput')
  return {
    ...texts,
    silence,
    /** "failure, exit 2, 3.1 s" */
    ending: [texts.state, texts.exit, texts.took].filter(Boolean).join(', '),
  }
}
