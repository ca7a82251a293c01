import { checkedArguments, type Question, same } from '@qd/core/actions'
import type { Values } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { editInEditor } from '../../../base/editor.ts'
import type { Cli } from '../cli.ts'

/** Lets the person change the values of a form as JSON in their editor. Returns what differs. Errors: `usage` without a terminal, for text that is no object and where nothing differs; `invalid` with problems. */
export async function editArguments(cli: Cli, { action, start }: Pick<Question, 'action' | 'start'>): Promise<Values> {
  if (!cli.canAsk) throw new AppError('usage', { reason: 'cannotAsk' })
  const names = action.args!.form.flatMap(({ fields }) => fields.map(({ field }) => field))
  const before = await start()
  const shown = Object.fromEntries(names.map((name) => [name, before[name]]))
  const text = await editInEditor(cli.io, JSON.stringify(shown, null, 2), 'configuration.json')
  if (text === null) throw new AppError('cancelled')
  const after = objectOf(text)
  const changed = Object.entries(after).filter(([name, value]) => !same(value, before[name]))
  if (changed.length === 0) throw new AppError('usage', { reason: 'nothingToChange' })
  return checkedArguments(action, Object.fromEntries(changed))
}

function objectOf(text: string): Record<string, unknown> {
  const broken = (detail: string) =>
    new AppError('usage', { reason: 'brokenFile', path: 'configuration.json', text: detail })
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (thrown) {
    throw broken(thrown instanceof Error ? thrown.message : '')
  }
  throw broken('')
}
