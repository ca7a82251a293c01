import { type Action, type AnyRow, actionKey, type Resource, type ResourceName, textKey } from '../define/index.ts'
import type { Frecency } from './frecency.ts'
import {
  actionEntries,
  commandEntries,
  createEntries,
  createRecordEntries,
  pickEntry,
  type SearchEntry,
  scopeEntries,
} from './search-entries.ts'
import { type Match, matchAll, matchTypos, type Ranges, Tier } from './search-match.ts'
import type { Surroundings } from './state.ts'
import type { Say, TextRef } from './text.ts'

/** First characters that narrow the search, with what they leave; a hint says them (behaviour P-11). */
export const searchPrefixes = [
  { prefix: '>', only: 'actions', label: { key: 'ui.palette.prefix.actions' } },
  { prefix: '#', only: 'server-group', label: { key: 'ui.palette.prefix.groups' } },
  { prefix: '@', only: 'user', label: { key: 'ui.palette.prefix.users' } },
  { prefix: '?', only: 'keys', label: { key: 'ui.palette.prefix.keys' } },
] as const satisfies readonly { prefix: string; only: ResourceName | 'actions' | 'keys'; label: TextRef }[]

/** What is searched for, and from where. */
export interface SearchRequest {
  query: string
  /** Marked rows, else the focused one; null where there are none. */
  scope: { resource: Resource; rows: readonly AnyRow[] } | null
  /** The list on screen. */
  here: ResourceName | null
  /** The action whose object is asked for on this page of the palette; null on the first page. */
  pick: Action | null
}

/** A line of the answer. */
export interface SearchHit {
  readonly entry: SearchEntry
  /** Parts of the title that the query met. */
  readonly ranges: Ranges
}

/** Lines under one heading; together at most 50. */
export interface SearchGroup {
  readonly key: string
  readonly label: TextRef
  readonly hits: readonly SearchHit[]
}

/** What was found. */
export interface SearchResult {
  readonly groups: readonly SearchGroup[]
  /** Of all that match, also beyond the 50. */
  readonly total: number
  /** Nothing was found and the search was narrowed: offer to search everything. */
  readonly canWiden: boolean
}

/** The palette's search over everything there is. */
export interface Search {
  /** Prepares what changed since; called when the palette opens, and by itself with each query. */
  warm(): void
  query(request: SearchRequest): SearchResult
}

/** What the search looks through. `surroundings` is asked anew for each query, so that language, rights and records are those of now. */
export interface SearchOptions {
  resources: readonly Resource[]
  surroundings(): Surroundings & { say: Say }
  frecency: Pick<Frecency, 'score' | 'top'>
}

const maxHits = 50
const maxCandidates = 200
const recents = 5
/** Actions named together with their object ("run nightly"), so many at most. */
const maxCombined = 6

/** Builds the search. Records are prepared once and again only when they change. */
export function createSearch({ resources, surroundings, frecency }: SearchOptions): Search {
  const records = new Map(resources.map((resource) => [resource.name, createRecordEntries(resource)]))
  const recordsOf = (name: ResourceName) => records.get(name)?.(surroundings().view) ?? []
  const listed = () => resources.filter(({ wire }) => wire.shape === 'many')
  const all = () => listed().flatMap(({ name }) => recordsOf(name))

  const find = (query: string, entries: readonly SearchEntry[]): Match<SearchEntry>[] => {
    const id = /^#?(\d+)$/.exec(query)?.[1]
    const exact =
      id === undefined ? [] : entries.filter(({ key }) => key.startsWith('record:') && key.endsWith(`:${id}`))
    const byId = exact.map((entry) => ({ entry, tier: Tier.id, score: 1, ranges: [] }))
    return [...byId, ...matchAll(query, entries, maxCandidates).filter(({ entry }) => !exact.includes(entry))]
  }
  const rank = (matches: readonly Match<SearchEntry>[]) => {
    const used = new Map(matches.map(({ entry }) => [entry.key, frecency.score(entry.key)]))
    return [...matches].sort(
      (a, b) => b.tier - a.tier || used.get(b.entry.key)! - used.get(a.entry.key)! || b.score - a.score,
    )
  }

  /** "run nightly": the first word names an action, the others its object. */
  const combine = (query: string, entries: readonly SearchEntry[]): Match<SearchEntry>[] => {
    const { groups: parts } = /^(?<verb>\S{2,})\s+(?<object>\S.*)$/.exec(query) ?? {}
    if (!parts) return []
    const verb = parts.verb!.toLowerCase()
    const picks = entries.filter(
      ({ goal, words, allWords }) =>
        goal.kind === 'pick' && [...words, ...allWords].some((word) => word.startsWith(verb)),
    )
    const around = surroundings()
    return picks
      .flatMap(({ goal }) => {
        if (goal.kind !== 'pick') return []
        const objects = rank(
          find(parts.object!, recordsOf(goal.action.resource)).filter(({ tier }) => tier >= Tier.anywhere),
        )
        return objects.slice(0, maxCombined / 2).map(({ entry }) => pickEntry(entry, goal.action, around))
      })
      .slice(0, maxCombined)
      .map((entry) => ({ entry: { ...entry, key: `${entry.key}:do` }, tier: Tier.words, score: 1, ranges: [] }))
  }

  const narrow = (
    only: (typeof searchPrefixes)[number]['only'] | null,
    fixed: readonly SearchEntry[],
  ): readonly SearchEntry[] => {
    if (only === null) return [...fixed, ...all()]
    if (only === 'actions') return fixed
    if (only === 'keys') return fixed.filter(({ chord }) => chord.web !== null || chord.tui !== null)
    return recordsOf(only)
  }

  const atRest = (
    inScope: readonly SearchEntry[],
    commands: readonly SearchEntry[],
    fixed: readonly SearchEntry[],
  ): SearchResult => {
    const byKey = new Map([...fixed, ...all()].map((entry) => [entry.key, entry]))
    const recent = frecency.top(recents * 2).flatMap((key) => byKey.get(key) ?? [])
    const pages = commands.filter(({ key }) => key.startsWith('command:go:'))
    const shown = new Set(pages.map(({ key }) => key))
    const groups: SearchGroup[] = [
      { key: 'scope', label: { key: 'ui.palette.group.scope' }, hits: inScope.map(hit) },
      {
        key: 'recent',
        label: { key: 'ui.palette.group.recent' },
        hits: recent
          .filter(({ key }) => !shown.has(key))
          .slice(0, recents)
          .map(hit),
      },
      { key: 'command', label: { key: 'ui.palette.group.pages' }, hits: pages.map(hit) },
    ]
    const filled = groups.filter(({ hits }) => hits.length > 0)
    return { groups: filled, total: filled.reduce((sum, { hits }) => sum + hits.length, 0), canWiden: false }
  }

  const pickPage = (query: string, action: Action): SearchResult => {
    const around = surroundings()
    const entries = recordsOf(action.resource)
    const matches =
      query === '' ? entries.map((entry) => ({ entry, ranges: [] as Ranges })) : rank(find(query, entries))
    const hits = matches
      .slice(0, maxHits)
      .map(({ entry, ranges }) => ({ entry: pickEntry(entry, action, around), ranges }))
    const group = { key: 'pick', label: { key: actionKey(action) }, hits }
    return { groups: hits.length > 0 ? [group] : [], total: matches.length, canWiden: false }
  }

  return {
    warm: () => void all(),
    query({ query: typed, scope, here, pick }) {
      if (pick) return pickPage(typed.trim(), pick)
      const around = surroundings()
      const narrowing = searchPrefixes.find(({ prefix }) => typed.startsWith(prefix) && !/^#\d+$/.test(typed))
      const query = (narrowing ? typed.slice(1) : typed).trim()
      const commands = commandEntries(around)
      const inScope = scope && scope.rows.length > 0 ? scopeEntries(scope.resource, scope.rows, around) : []
      const inScopeKeys = new Set(inScope.map(({ key }) => key))
      const general = actionEntries(resources, around, here).filter(({ key }) => !inScopeKeys.has(key))
      const fixed = [...general, ...commands]
      if (query === '' && !narrowing) return atRest(inScope, commands, [...inScope, ...fixed])
      const only = narrowing?.only ?? null
      const isForAll = only === null || only === 'actions'
      const entries = narrow(only, fixed)
      if (query === '') return grouped([...(isForAll ? inScope : []), ...entries].map(asMatch), inScopeKeys)
      const scoped = isForAll ? find(query, inScope) : []
      const combined = isForAll ? combine(query, general) : []
      const found = [...scoped, ...combined, ...find(query, entries)]
      const mistyped = found.length > 0 ? [] : matchTypos(query, [...(isForAll ? inScope : []), ...entries], maxHits)
      const result = grouped(rank([...found, ...mistyped]), inScopeKeys)
      if (result.total > 0) return result
      const offers = createEntries(query, resources, around)
      return { ...grouped(offers.map(asMatch), inScopeKeys), total: 0, canWiden: only !== null }
    },
  }
}

const hit = (entry: SearchEntry): SearchHit => ({ entry, ranges: [] })
const asMatch = (entry: SearchEntry): Match<SearchEntry> => ({ entry, tier: Tier.fuzzy, score: 0, ranges: [] })

/** The best 50 under their headings; a heading stands where its best line would, but what is marked or focused comes first unless an id was typed. */
function grouped(matches: readonly Match<SearchEntry>[], inScope: ReadonlySet<string>): SearchResult {
  const groups = new Map<string, SearchHit[]>()
  for (const { entry, ranges } of matches.slice(0, maxHits)) {
    const key = groupOf(entry, inScope)
    groups.set(key, [...(groups.get(key) ?? []), { entry, ranges }])
  }
  const isById = matches[0]?.tier === Tier.id
  const ordered = [...groups].sort(([a], [b]) => (isById ? 0 : Number(b === 'scope') - Number(a === 'scope')))
  return {
    groups: ordered.map(([key, hits]) => ({ key, label: groupLabel(key), hits })),
    total: matches.length,
    canWiden: false,
  }
}

function groupOf({ goal, key }: SearchEntry, inScope: ReadonlySet<string>): string {
  if (goal.kind === 'record') return goal.resource
  if (inScope.has(key)) return 'scope'
  if (goal.kind === 'create') return 'create'
  return goal.kind === 'command' ? 'command' : 'action'
}

function groupLabel(key: string): TextRef {
  const own: Readonly<Record<string, string>> = {
    scope: 'ui.palette.group.scope',
    action: 'ui.palette.group.actions',
    command: 'ui.palette.group.pages',
    create: 'ui.palette.group.create',
  }
  return { key: own[key] ?? textKey.many(key) }
}
