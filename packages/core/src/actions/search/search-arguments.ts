import { actionKey, type Values } from '../../define/index.ts'
import { parseInput } from '../../fields/index.ts'
import { actionLine } from '../cli.ts'
import type { Surroundings } from '../state.ts'
import type { Say } from '../text.ts'
import type { SearchEntry } from './search-entries.ts'
import { prepare } from './search-match.ts'

/**
 * "run uptime" on what is marked: the first words name the action, the rest is its first argument, shown before it is chosen
 * (behaviour P-16). Null if the entry asks for nothing, is not named, or does not take the text.
 */
export function withArgument(
  entry: SearchEntry,
  query: string,
  { say, view }: Surroundings & { say: Say },
): SearchEntry | null {
  const { goal } = entry
  if (goal.kind !== 'action' || !goal.action.args || entry.reason) return null
  const { action, rows } = goal
  const { args } = goal.action
  const label = say.say(actionKey(action))
  const text = argumentOf(query, label, entry.allWords)
  const name = args.form[0]?.fields[0]?.field
  const field = name === undefined ? undefined : args.fields[name]
  if (text === null || name === undefined || !field) return null
  const parsed = parseInput(field, text, { fieldName: name, view })
  const schema = args.input.shape[name] as { safeParse(value: unknown): { success: boolean } }
  if (!parsed.ok || !schema.safeParse(parsed.value).success) return null
  const given: Values = { [name]: parsed.value }
  return {
    ...entry,
    ...prepare(`${label}: ${text}`, ''),
    key: `do:${entry.key}`,
    goal: { ...goal, given },
    cli: actionLine(action, rows, view, { ...args.initial, ...given }),
  }
}

/** What stands behind the action's name, or behind the beginning of one of its words. */
function argumentOf(query: string, label: string, words: readonly string[]): string | null {
  const isNamed = query.toLowerCase().startsWith(label.toLowerCase())
  const rest = isNamed ? /^[:\s]\s*(\S.*)$/.exec(query.slice(label.length))?.[1] : undefined
  if (rest !== undefined) return rest
  const [, verb, text] = /^([^\s:]{2,}):?\s+(\S.*)$/.exec(query) ?? []
  return verb !== undefined && text !== undefined && words.some((word) => word.startsWith(verb.toLowerCase()))
    ? text
    : null
}
