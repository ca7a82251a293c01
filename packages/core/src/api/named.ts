import { type PageQuery, pageQuery } from '../actions/index.ts'
import { type AnyRow, type Resource, titleOf } from '../define/index.ts'
import { AppError, firstItem, usageError } from '../errors.ts'
import { namedOnHosts, server } from '../resources/index.ts'
import { nearest, quote, type Sort } from '../targets/index.ts'
import type { Records } from './records.ts'

/** The line to try next with another word for the record; omitted by front ends without lines. */
export type Again = (word: string) => string

const namedInError = 8
/** Server limits of a query's length and ids (docs/reference/pagination.md). */
const longestQuery = 1000
const idsAtOnce = 500

/** By id, exact title, or title in another case. `#12` is an id even if a title is `12`. Errors: `notFound`, `ambiguous`. */
export function pickOne(resource: Resource, rows: readonly AnyRow[], word: string, again?: Again): AnyRow {
  if (word.trim() === '') throw usageError('emptyName', again && { try: `qd ${resource.name} ls` })
  const id = /^#?(\d{1,15})$/.exec(word)?.[1]
  const title = (row: AnyRow) => titleOf(resource, row)
  const byId = id === undefined ? [] : rows.filter((row) => row.id === Number(id))
  const exact = rows.filter((row) => title(row) === word)
  const folded = rows.filter((row) => title(row).toLowerCase() === word.toLowerCase())
  const named = exact.length > 0 || byId.length > 0 ? exact : folded
  const found = word.startsWith('#') && byId.length > 0 ? byId : [...new Set([...byId, ...named])]
  const [only] = found
  if (only && found.length === 1) return only
  const inside = found.length > 0 ? found : rows.filter((row) => title(row).toLowerCase().includes(word.toLowerCase()))
  if (inside.length > 1) throw ambiguous(resource, word, inside, again)
  const near = nearest(word, rows.map(title))
  const [first] = inside
  const meant = first ?? rows.find((row) => title(row) === near[0])
  const about = { name: word, resource: resource.name }
  if (!again) {
    const text = (first ? [title(first)] : near.slice(0, 3)).join(', ')
    throw new AppError('notFound', { ...about, ...(text && { text }) })
  }
  // A leading dash would be a flag.
  const typed = meant && (title(meant).startsWith('-') ? `#${meant.id}` : title(meant))
  throw new AppError('notFound', { ...about, try: typed === undefined ? `qd ${resource.name} ls` : again(typed) })
}

function ambiguous(resource: Resource, word: string, rows: readonly AnyRow[], again: Again | undefined): AppError {
  const matches = rows.slice(0, namedInError).map((row) => `${titleOf(resource, row)} (${row.id})`)
  if (rows.length > namedInError) matches.push(`… +${rows.length - namedInError}`)
  const id = String(firstItem(rows).id)
  const isTitle = rows.some((row) => titleOf(resource, row) === id)
  return new AppError('ambiguous', { name: word, matches, ...(again && { try: again(isTitle ? `#${id}` : id) }) })
}

/** Query of a server-paged list; undefined for others. */
export function pageOf(
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
export function listNamed(
  resource: Resource,
  records: Pick<Records, 'list'>,
  word: string,
): Promise<readonly AnyRow[]> {
  const isId = /^#?\d{1,15}$/.test(word)
  const query = isId ? { id: word.replace('#', '') } : pageOf(resource, { text: `${resource.title}:${quote(word)}` })
  return records.list(resource, resource.wire.paging === 'server' ? query : undefined)
}

/** A complete record by id (requested directly if possible) or name; of a single resource its record. Errors: as `pickOne`. */
export async function oneNamed(resource: Resource, records: Records, word: string, again?: Again): Promise<AnyRow> {
  if (resource.wire.shape === 'one') return records.get(resource, 0)
  const canGet = resource.wire.verbs.includes('get')
  if (canGet && /^\d{1,15}$/.test(word)) return records.get(resource, Number(word))
  const rows = await listNamed(resource, records, word)
  const onHosts = await records.read((view) => namedOnHosts(resource, rows, word, view))
  const [only, ...others] = onHosts
  const row = only && others.length === 0 ? only : pickOne(resource, onHosts.length > 0 ? onHosts : rows, word, again)
  return canGet ? records.get(resource, row.id) : row
}

/** Without duplicates; equal titles may all match. Of a server-paged list, ids are requested together, names one by one. */
export async function allNamed(
  resource: Resource,
  records: Pick<Records, 'list' | 'read'>,
  typed: readonly string[],
  again?: Again,
): Promise<readonly AnyRow[]> {
  const words = [...new Set(typed)]
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
    picked.push(...(same.length > 0 ? same : [pickOne(resource, rows, word, again)]))
  }
  return [...new Map(picked.map((row) => [row.id, row])).values()]
}

/** The query for the servers of words such as `web-1/nginx`; null unless each word begins with the name of one. Errors: those of the call. */
export async function hostsNamed(records: Pick<Records, 'list'>, words: readonly string[]): Promise<string | null> {
  const names = words.map((word) => word.slice(0, Math.max(0, word.indexOf('/'))).toLowerCase())
  if (names.length === 0 || names.includes('')) return null
  const servers = await records.list(server)
  const ids = names.map((name) =>
    servers.filter((row) => String(row.id) === name || titleOf(server, row).toLowerCase() === name).map(({ id }) => id),
  )
  // The name of a record may have a slash too.
  if (ids.some((some) => some.length === 0)) return null
  return [...new Set(ids.flat())].map((id) => `#${id}`).join(' or ')
}
