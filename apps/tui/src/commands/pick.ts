import { type AnyRow, type Resource, titleOf } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { isEmptySelection, nearest, parseSelection, selectRows } from '@qd/core/targets'
import type { Cli } from './cli.ts'
import { type FlagValues, textFlag } from './command.ts'
import type { Records } from './records.ts'

/** What to do where a flag that chooses is empty: `all` means all, without it all are listed, or there is nothing to mean. */
type IfEmpty = 'all' | 'leaveOut' | 'help'

/** So many candidates are named in an error. */
const namedInError = 8

/**
 * The one record that a word names: its id, else its exact title, else its title in another case. A word that only begins or is
 * inside titles is never taken as one. Errors: `notFound`, `ambiguous` with the ids.
 */
export function pickOne(resource: Resource, rows: readonly AnyRow[], word: string, command: string): AnyRow {
  if (word.trim() === '') throw new AppError('usage', { reason: 'emptyName', try: `qd ${resource.name} ls` })
  const id = /^#?(\d{1,15})$/.exec(word)?.[1]
  const byId = id === undefined ? [] : rows.filter((row) => row.id === Number(id))
  const exact = rows.filter((row) => titleOf(resource, row) === word)
  const folded = rows.filter((row) => titleOf(resource, row).toLowerCase() === word.toLowerCase())
  const found = [...new Set([...byId, ...(exact.length > 0 || byId.length > 0 ? exact : folded)])]
  if (found.length === 1) return found[0]!
  const inside =
    found.length > 0 ? found : rows.filter((row) => titleOf(resource, row).toLowerCase().includes(word.toLowerCase()))
  if (inside.length > 1) throw ambiguous(resource, word, inside, command)
  const titles = rows.map((row) => titleOf(resource, row))
  const near = inside[0] ? titleOf(resource, inside[0]) : nearest(word, titles)[0]
  throw new AppError('notFound', {
    name: word,
    resource: resource.name,
    try: near === undefined ? `qd ${resource.name} ls` : `${command} ${quoted(near)}`,
  })
}

function ambiguous(resource: Resource, word: string, rows: readonly AnyRow[], command: string): AppError {
  const matches = rows.slice(0, namedInError).map((row) => `${titleOf(resource, row)} (${row.id})`)
  return new AppError('ambiguous', { name: word, matches, try: `${command} ${rows[0]!.id}` })
}

/** The records that words, `--select`, `--ids` or `--all` choose, without duplicates. Errors: `usage` where nothing chooses, `notFound` where nothing is left. */
export async function pickMany(from: {
  cli: Cli
  resource: Resource
  records: Records
  words: readonly string[]
  flags: FlagValues
  command: string
}): Promise<readonly AnyRow[]> {
  const { cli, resource, records, words, flags, command } = from
  const selection = textFlag(flags, 'select')
  const ids = textFlag(flags, 'ids')
  const ways = [words.length > 0, selection !== undefined, ids !== undefined, flags.all === true].filter(Boolean).length
  if (ways !== 1)
    throw new AppError('usage', { reason: ways === 0 ? 'nothingChosen' : 'chosenTwice', try: `${command} --help` })
  const rows = await records.list(resource)
  if (flags.all) return someOf(rows, '--all')
  if (selection !== undefined)
    return someOf(await selected({ resource, records, text: selection, empty: 'all' }), selection)
  if (ids !== undefined) return namedRows({ cli, resource, records, text: ids, command, empty: 'all' })
  return [...new Set(words.map((word) => pickOne(resource, rows, word, command)))]
}

/** The records that a list of ids and names says, `-` for one on stdin; without duplicates. Errors: `usage`, `notFound`, `ambiguous`. */
export async function namedRows(from: {
  cli: Cli
  resource: Resource
  records: Records
  text: string
  empty: IfEmpty
  command?: string
}): Promise<readonly AnyRow[]> {
  const { cli, resource, records, text, empty, command = `qd ${resource.name} ls` } = from
  const wanted = wordsOf(text === '-' ? await cli.io.stdin.readAll() : text)
  if (wanted.length === 0) throw new AppError('usage', { reason: 'emptySelection', flag: '--ids', hint: empty })
  const rows = await records.list(resource)
  return [...new Set(wanted.map((word) => pickOne(resource, rows, word, command)))]
}

/**
 * The records that a text of the selection language takes in. One that names nothing, as an unset variable leaves it, is refused;
 * `empty` says what to do about it. Errors: `usage` with the place of the mistake.
 */
export async function selected(from: {
  resource: Resource
  records: Records
  text: string
  empty: IfEmpty
}): Promise<readonly AnyRow[]> {
  const { resource, records, text, empty } = from
  const parsed = parseSelection(resource, text)
  if (!parsed.ok) {
    const { at, to, code, params } = parsed.problem
    const place = { reason: 'selection', problem: code, part: text.slice(at, to), try: 'qd help selection' }
    throw new AppError('usage', { ...params, ...place })
  }
  if (isEmptySelection(parsed.selection))
    throw new AppError('usage', {
      reason: 'emptySelection',
      flag: '--select',
      ...(empty === 'help' ? { try: 'qd help selection' } : { hint: empty }),
    })
  const rows = await records.list(resource)
  return records.read((view) => selectRows(parsed.selection, resource, rows, view))
}

function someOf(rows: readonly AnyRow[], name: string): readonly AnyRow[] {
  if (rows.length === 0) throw new AppError('notFound', { name })
  return rows
}

/** Ids and names separated by commas, blanks or line ends. */
function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w.@:/+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
