import { type PageQuery, pageQuery, unchosenText } from '@qd/core/actions'
import type { Records } from '@qd/core/api'
import { type Action, type AnyRow, type Resource, textKey, titleOf, type View } from '@qd/core/define'
import { AppError, toAppError, usageError } from '@qd/core/errors'
import { nounOf, textParts } from '@qd/core/i18n'
import { namedOnHosts } from '@qd/core/resources'
import {
  isEmptySelection,
  nearest,
  parseSelection,
  quote,
  type Selection,
  type Sort,
  selectedFields,
  selectRows,
  tokens,
} from '@qd/core/targets'
import { type Cli, type FlagValues, textFlag } from './command.ts'

interface Among {
  resource: Resource
  records: Records
}

/** Advice for an empty selecting flag: `all` if it would mean all, `leaveOut` if omitting it does, else `help`. */
type IfEmpty = 'all' | 'leaveOut' | 'help'

const namedInError = 8
/** Server limits of a query's length and ids (docs/reference/pagination.md). */
const longestQuery = 1000
const idsAtOnce = 500

/** By id, exact title, or title in another case. `#12` is an id even if a title is `12`. Errors: `notFound`, `ambiguous`. */
export function pickOne(resource: Resource, rows: readonly AnyRow[], word: string, command: string): AnyRow {
  if (word.trim() === '') throw usageError('emptyName', { try: `qd ${resource.name} ls` })
  const id = /^#?(\d{1,15})$/.exec(word)?.[1]
  const byId = id === undefined ? [] : rows.filter((row) => row.id === Number(id))
  const exact = rows.filter((row) => titleOf(resource, row) === word)
  const folded = rows.filter((row) => titleOf(resource, row).toLowerCase() === word.toLowerCase())
  const named = exact.length > 0 || byId.length > 0 ? exact : folded
  const found = word.startsWith('#') && byId.length > 0 ? byId : [...new Set([...byId, ...named])]
  const [only] = found
  if (only && found.length === 1) return only
  const inside =
    found.length > 0 ? found : rows.filter((row) => titleOf(resource, row).toLowerCase().includes(word.toLowerCase()))
  if (inside.length > 1) throw ambiguous(resource, word, inside, command)
  const titles = rows.map((row) => titleOf(resource, row))
  const [title] = nearest(word, titles)
  const near = inside[0] ?? rows.find((row) => title !== undefined && titleOf(resource, row) === title)
  throw new AppError('notFound', {
    name: word,
    resource: resource.name,
    try: near === undefined ? `qd ${resource.name} ls` : `${command} ${nameToType(resource, near)}`,
  })
}

/** A record's name as an argument: a leading dash would be a flag. */
function nameToType(resource: Resource, row: AnyRow): string {
  const title = titleOf(resource, row)
  return quoted(title.startsWith('-') ? `#${row.id}` : title)
}

function ambiguous(resource: Resource, word: string, rows: readonly AnyRow[], command: string): AppError {
  const matches = rows.slice(0, namedInError).map((row) => `${titleOf(resource, row)} (${row.id})`)
  if (rows.length > namedInError) matches.push(`… +${rows.length - namedInError}`)
  const id = String(rows[0]!.id)
  const isTitle = rows.some((row) => titleOf(resource, row) === id)
  return new AppError('ambiguous', { name: word, matches, try: `${command} ${isTitle ? quoted(`#${id}`) : id}` })
}

/** Query of a server-paged list; empty for others. */
export function askFor(
  resource: Resource,
  { text = '', sort = resource.sort, most = Number.POSITIVE_INFINITY }: { text?: string; sort?: Sort; most?: number },
): PageQuery | undefined {
  if (resource.wire.paging !== 'server') return undefined
  // A query that is too long is matched here.
  const filter = text.length > longestQuery ? '' : text
  const isWhole = filter !== text || !Number.isFinite(most)
  const { limit: _limit, ...query } = pageQuery(resource, { filter, sort, limit: 1 })
  return isWhole ? query : { ...query, limit: most }
}

/** Candidates of a word: all records, or of a server-paged list those with the word in their title. */
export function listNamed(resource: Resource, records: Records, word: string): Promise<readonly AnyRow[]> {
  const isId = /^#?\d{1,15}$/.test(word)
  const query = isId ? { id: word.replace('#', '') } : askFor(resource, { text: `${resource.title}:${quote(word)}` })
  return records.list(resource, resource.wire.paging === 'server' ? query : undefined)
}

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
  return pickWords({ resource, records, words, command }).catch((thrown: unknown) => {
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
  return pickWords({ resource, records, words, command })
}

/** Without duplicates; equal titles may all match. Of a server-paged list, ids are requested together, names one by one. */
export async function pickWords(
  from: Among & { words: readonly string[]; command: string },
): Promise<readonly AnyRow[]> {
  const { resource, records, command } = from
  const words = [...new Set(from.words)]
  const all = resource.wire.paging === 'server' ? null : await records.list(resource)
  const ids = all ? [] : words.filter((word) => /^\d{1,15}$/.test(word))
  const byId = new Map<number, AnyRow>()
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const rows = await records.list(resource, { id: ids.slice(at, at + idsAtOnce).join(',') })
    for (const row of rows) byId.set(row.id, row)
  }
  const picked: AnyRow[] = []
  for (const word of words) {
    const known = ids.includes(word) ? [byId.get(Number(word))].filter((row) => row !== undefined) : null
    const rows = all ?? known ?? (await listNamed(resource, records, word))
    const onHosts = await records.read((view) => namedOnHosts(resource, rows, word, view))
    const exact = resource.together ? rows.filter((row) => titleOf(resource, row) === word) : []
    const same = onHosts.length > 0 ? onHosts : exact
    picked.push(...(same.length > 0 ? same : [pickOne(resource, rows, word, command)]))
  }
  return [...new Set(picked)]
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
  const rows = await records.list(resource, askFor(resource, { text }))
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
  const parsed = [
    () => [JSON.parse(text)],
    () =>
      text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line)),
  ]
  for (const parse of parsed) {
    try {
      return (parse() as unknown[]).flat()
    } catch {}
  }
  return null
}

function wordsOf(text: string): string[] {
  return text.split(/\s/).flatMap((word) => textParts(word))
}

export function quoted(word: string): string {
  return /^[\w.@:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
