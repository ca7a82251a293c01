import { unchosenText } from '@qd/core/actions'
import { allNamed, pageOf, type Records } from '@qd/core/api'
import { type Action, type AnyRow, type Resource, textKey, type View } from '@qd/core/define'
import { AppError, toAppError, usageError } from '@qd/core/errors'
import { nounOf, textParts } from '@qd/core/i18n'
import { isEmptySelection, parseSelection, type Selection, selectedFields, selectRows, tokens } from '@qd/core/targets'
import { jsonIn } from '../../base/output/json.ts'
import { type Cli, type FlagValues, textFlag } from './command.ts'

interface Among {
  resource: Resource
  records: Records
}

/** Advice for an empty selecting flag: `all` if it would mean all, `leaveOut` if omitting it does, else `help`. */
type IfEmpty = 'all' | 'leaveOut' | 'help'

/** By words, `--select`, `--ids` or `--all`; an unknown word with an operator (`cpu>90`) is a query. Errors: `usage`, `notFound`. */
export async function pickMany(
  from: Among & {
    cli: Cli
    words: readonly string[]
    flags: FlagValues
    command: string
    action?: Action | null
  },
): Promise<readonly AnyRow[]> {
  const { cli, resource, records, words, flags, command, action = null } = from
  const selection = textFlag(flags, 'select')
  const ids = textFlag(flags, 'ids')
  const ways = [words.length > 0, selection !== undefined, ids !== undefined, flags.all === true].filter(Boolean).length
  if (ways === 0) throw nothingChosen(action)
  if (ways > 1) throw usageError('chosenTwice', { try: `${command} --help` })
  if (flags.all) {
    const rows = await records.list(resource)
    if (rows.length > 0) return rows
    const noun = nounOf(cli.say(textKey.many(resource.name)), cli.language)
    throw new AppError('notFound', { reason: 'noRecords', records: noun })
  }
  if (selection !== undefined)
    return someOf(resource, await selected({ resource, records, text: selection, empty: 'all' }), selection)
  if (ids !== undefined) return namedRows({ cli, resource, records, text: ids, command, empty: 'all' })
  const [first = ''] = words
  return allNamed(resource, records, words, againWith(command)).catch((thrown: unknown) => {
    const isSelection = words.length === 1 && tokens(first).some(({ kind }) => kind === 'operator')
    if (!isSelection || toAppError(thrown).code !== 'notFound') throw thrown
    return selected({ resource, records, text: first, empty: 'all' }).then((rows) => someOf(resource, rows, first))
  })
}

function nothingChosen(action: Action | null): AppError {
  return action && action.unchosen !== null
    ? new AppError('usage', { says: unchosenText(action), hint: 'choose' })
    : usageError('missingArgument', { name: 'name', hint: 'choose' })
}

/** Records by ids and names, `-` for stdin; without duplicates. Errors: `usage`, `notFound`, `ambiguous`. */
export async function namedRows(
  from: Among & { cli: Cli; text: string; empty: IfEmpty; command?: string },
): Promise<readonly AnyRow[]> {
  const { cli, resource, records, text, empty, command = `qd ${resource.name} ls` } = from
  const words = text === '-' ? wordsFromStdin(resource, await cli.io.stdin.readAll()) : wordsOf(text)
  if (words.length === 0) throw usageError('emptySelection', { flag: '--ids', hint: empty })
  return allNamed(resource, records, words, againWith(command))
}

/** Refuses an invalid or empty selection, such as of an unset variable; `empty` advises. Errors: `usage` with the position. */
export function demandSelection(resource: Resource, text: string, empty: IfEmpty): Selection {
  const selection = readSelection(resource, text)
  if (isEmptySelection(selection))
    throw usageError('emptySelection', {
      flag: '--select',
      ...(empty === 'help' ? { try: 'qd help query' } : { hint: empty }),
    })
  return selection
}

/** With `view` also refuses what the server doesn't report. Errors: as `demandSelection`. */
export function readSelection(resource: Resource, text: string, view: Pick<View, 'supports'> = {}): Selection {
  const parsed = parseSelection(resource, text, { view })
  if (!parsed.ok) {
    const { at, to, code, params } = parsed.problem
    const place = { reason: 'selection', problem: code, part: text.slice(at, to), try: 'qd help query' }
    throw new AppError('usage', { ...params, ...place })
  }
  return parsed.selection
}

export async function selected(from: Among & { text: string; empty: IfEmpty }): Promise<readonly AnyRow[]> {
  const { resource, records, text, empty } = from
  await records.ask(resource, selectedFields(demandSelection(resource, text, empty)))
  const rows = await records.list(resource, pageOf(resource, { text }))
  return narrowed({ resource, records, text, rows })
}

export function narrowed(from: Among & { text: string; rows: readonly AnyRow[] }): Promise<readonly AnyRow[]> {
  const { resource, records, text, rows } = from
  return records.read((view) => selectRows(readSelection(resource, text, view), resource, rows, view))
}

function someOf(resource: Resource, rows: readonly AnyRow[], name: string): readonly AnyRow[] {
  if (rows.length === 0) throw new AppError('notFound', { name, try: `qd ${resource.name} ls` })
  return rows
}

/** Ids and names from stdin, or the records that `--json` and `--jsonl` print. */
function wordsFromStdin({ title }: Resource, input: string): string[] {
  // PowerShell starts piped text with a BOM.
  const text = input.replace(/^\ufeff/, '')
  const words = itemsIn(text)?.map((item) => (isRecord(item) ? (item.id ?? item[title]) : item))
  const isNamed = words?.every((word) => typeof word === 'number' || (typeof word === 'string' && word !== ''))
  return words && isNamed ? words.map(String) : wordsOf(text)
}

const isRecord = (item: unknown): item is Record<string, unknown> => typeof item === 'object' && item !== null

function itemsIn(text: string): unknown[] | null {
  if (!/^\s*[[{]/.test(text)) return null
  const whole = jsonIn(text)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const parsed = whole === undefined ? lines.map(jsonIn) : [whole]
  return parsed.includes(undefined) ? null : parsed.flat()
}

function wordsOf(text: string): string[] {
  return text.split(/\s/).flatMap((word) => textParts(word))
}

/** For hints: the command with another word. */
export const againWith = (command: string) => (word: string) => `${command} ${quoted(word)}`

export function quoted(word: string): string {
  return /^[\w.@:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
