import * as z from 'zod'
import { lazy, type Report } from '../define/index.ts'
import type { Format, Translator } from '../i18n/index.ts'

/** `to` null: until now. `points` are of the first condition, oldest first. */
const fired = lazy(() =>
  z.object({
    server_id: z.int(),
    server_name: z.string().catch(''),
    from: z.string(),
    to: z.string().nullable().catch(null),
    points: z.array(z.number().nullable()).catch([]),
    limit: z.number().nullable().catch(null),
  }),
)

/** Where a rule would have fired in the last hour. `unknown`: for what part of it servers with data have none. `without[i]`: on how many servers without condition i. */
export const backtestAnswer = lazy(() =>
  z.object({
    from: z.string().catch(''),
    to: z.string().catch(''),
    servers: z.int().catch(0),
    with_data: z.int().catch(0),
    unknown: z.number().catch(0),
    fired: z.array(fired()).catch([]),
    without: z.array(z.int()).catch([]),
  }),
)
export type BacktestAnswer = z.output<ReturnType<typeof backtestAnswer>>

/** The servers of a back-test, how many have data, and for how much of the time they have none. */
export const lookedTexts = (
  { servers, with_data: known, unknown }: BacktestAnswer,
  { t }: Pick<Translator, 't'>,
  format: Format,
): string[] => [
  t('ui.backtest.looked', { count: servers, known }),
  ...(unknown >= 0.005 ? [t('ui.backtest.unknown', { percent: format.percent(unknown * 100) })] : []),
]

export function backtestReport(answer: unknown): Report {
  const found = backtestAnswer()
    .catch({ from: '', to: '', servers: 0, with_data: 0, unknown: 0, fired: [], without: [] })
    .parse(answer)
  return ({ translator, format }) => {
    const { t } = translator
    const count = found.fired.length
    const head = { text: t('ui.backtest.fired', { count }), tone: count > 0 ? 'warn' : 'ok' } as const
    const lines = found.fired.map(({ server_name: name, from, to }) => ({
      text:
        to === null
          ? t('ui.backtest.still', { name, from: format.clock(Date.parse(from)) })
          : t('ui.backtest.line', {
              name,
              from: format.clock(Date.parse(from)),
              time: format.duration((Date.parse(to) - Date.parse(from)) / 1000),
            }),
      tone: 'plain' as const,
    }))
    const looked = lookedTexts(found, translator, format).map((text) => ({ text, tone: 'muted' as const }))
    const without =
      found.without.length > 1
        ? found.without.map((alone, index) => ({
            text: t('ui.backtest.without', { number: index + 1, count: alone }),
            tone: 'muted' as const,
          }))
        : []
    return [head, ...lines, ...looked, ...without]
  }
}
