import * as z from 'zod'
import {
  type Action,
  type AnyRow,
  actionKey,
  lazy,
  type Resource,
  type ResourceName,
  textKey,
  type Values,
} from '../../define/index.ts'
import { defined } from '../../errors.ts'
import { parseInput } from '../../fields/index.ts'
import { actionLine } from '../cli.ts'
import type { Clock } from '../clock.ts'
import type { Surroundings } from '../state.ts'
import type { Say, TextRef } from '../text.ts'
import {
  actionEntries,
  commandEntries,
  createEntries,
  createRecordSource,
  fileSource,
  type OpenFolder,
  pickEntry,
  type RecordSource,
  type SearchEntry,
  scopeEntries,
} from './search-entries.ts'
import { bare, groupHits, maxHits, type SearchResult } from './search-groups.ts'
import {
  createSource,
  type Match,
  matchAll,
  matchTypos,
  prepare,
  renewSource,
  type Source,
  Tier,
} from './search-match.ts'

/** Ranks by how often and recently an entry was used (behavior P-10). */
export interface Frecency {
  score(key: string): number
  use(key: string): void
  top(count: number): readonly string[]
  clear(): void
}

const saved = lazy(() => z.record(z.string(), z.array(z.number())).catch({}))
const maxKeys = 200
const maxUses = 5
const dayMs = 86_400_000
/** Points of a use by its age in days. */
const worth: readonly (readonly [days: number, points: number])[] = [
  [1, 100],
  [3, 60],
  [7, 40],
  [30, 20],
  [Number.POSITIVE_INFINITY, 5],
]

export function createFrecency(
  clock: Pick<Clock, 'now'>,
  { load, save }: { load(): unknown; save(uses: unknown): void },
): Frecency {
  let uses = new Map(Object.entries(saved().parse(load())))
  const score = (key: string): number => {
    const now = clock.now()
    const points = (uses.get(key) ?? []).map((at) => defined(worth.find(([days]) => now - at <= days * dayMs))[1])
    return points.reduce((sum, one) => sum + one, 0)
  }
  const ranked = () => [...uses.keys()].sort((a, b) => score(b) - score(a))
  return {
    score,
    use(key) {
      uses.set(key, [clock.now(), ...(uses.get(key) ?? [])].slice(0, maxUses))
      if (uses.size > maxKeys)
        uses = new Map(
          ranked()
            .slice(0, maxKeys)
            .map((kept) => [kept, defined(uses.get(kept))]),
        )
      save(Object.fromEntries(uses))
    },
    top: (count) => ranked().slice(0, count),
    clear() {
      uses.clear()
      save({})
    },
  }
}

/** Prefixes that narrow the search (behavior P-11). */
export const searchPrefixes = [
  { prefix: '>', only: 'actions', label: { key: 'ui.palette.prefix.actions' } },
  { prefix: '#', only: 'server-group', label: { key: 'ui.palette.prefix.groups' } },
  { prefix: '@', only: 'user', label: { key: 'ui.palette.prefix.users' } },
  { prefix: '/', only: 'files', label: { key: 'ui.palette.prefix.files' } },
  { prefix: '?', only: 'keys', label: { key: 'ui.palette.prefix.keys' } },
] as const satisfies readonly { prefix: string; only: ResourceName | 'actions' | 'files' | 'keys'; label: TextRef }[]

export interface SearchRequest {
  query: string
  /** The selected rows, else the focused one. */
  scope: { resource: Resource; rows: readonly AnyRow[] } | null
  here: ResourceName | null
  /** The action for which this page of the palette picks a record; null on the first page. */
  pick: Action | null
  /** The folder in an open file manager; without it `/` is no prefix. */
  files?: OpenFolder | null
}

export interface Search {
  /** Prepares changed entries, a list a step, so that the first key is as fast as the others. Not those of hosts: they change with each reading, and 60,000 take a second. */
  warm(): Iterator<void>
  query(request: SearchRequest): SearchResult
}

/** `surroundings` is called for each query, so that language, permissions and records are current. */
export interface SearchOptions {
  resources: readonly Resource[]
  surroundings(): Surroundings & { say: Say }
  frecency: Pick<Frecency, 'score' | 'top'>
  /** Commands of the other front end are left out. */
  front: 'web' | 'tui'
  connections?: readonly string[]
}

type Only = (typeof searchPrefixes)[number]['only'] | null

const maxCandidates = 200
const maxRecent = 5
/** Fuzzy matches below this score are noise. */
const leastScore = 0.4
/** Maximum entries per action and in all for an action typed with its object ("run nightly"). */
const maxObjects = 3
const maxCombined = 6

export function createSearch({ resources, surroundings, frecency, front, connections = [] }: SearchOptions): Search {
  const listed = resources.filter(({ wire }) => wire.shape === 'many')
  const sources = new Map(listed.map((resource) => [resource.name, createRecordSource(resource)]))
  const recordsOf = (name: ResourceName, query: string): RecordSource | undefined =>
    sources.get(name)?.(surroundings().view, query)

  const find = (query: string, source: Source<SearchEntry> & Partial<RecordSource>): Match<SearchEntry>[] => {
    const id = /^#?(\d{1,15})$/.exec(query)?.[1]
    const exact = id === undefined ? undefined : source.byId?.(Number(id))
    const others = matchAll(query, source, maxCandidates).filter(({ entry }) => entry.key !== exact?.key)
    return exact ? [{ entry: exact, tier: Tier.id, score: 1, place: 0, ranges: [] }, ...others] : others
  }
  const rank = (matches: readonly Match<SearchEntry>[]): Match<SearchEntry>[] => {
    const used = new Map(matches.map(({ entry }) => [entry.key, frecency.score(entry.key)]))
    const uses = ({ entry }: Match<SearchEntry>) => defined(used.get(entry.key))
    // Of equal matches, a page ranks before its actions.
    const isPage = ({ entry }: Match<SearchEntry>) => Number(entry.key.startsWith('command:go:'))
    return [...matches].sort(
      (a, b) => b.tier - a.tier || uses(b) - uses(a) || isPage(b) - isPage(a) || b.score - a.score || a.place - b.place,
    )
  }

  /** "run nightly": the first word names an action, the others its object. */
  const combine = (query: string, actions: readonly SearchEntry[]): Match<SearchEntry>[] => {
    const [, verb, object] = /^(\S{2,})\s+(\S.*)$/.exec(query.toLowerCase()) ?? []
    if (verb === undefined || object === undefined) return []
    const around = surroundings()
    return actions
      .filter(({ allWords }) => allWords.some((word) => word.startsWith(verb)))
      .flatMap(({ goal }) => {
        const source = goal.kind === 'pick' ? recordsOf(goal.action.resource, object) : undefined
        if (goal.kind !== 'pick' || !source) return []
        const objects = rank(find(object, source).filter(({ tier }) => tier >= Tier.anywhere))
        return objects.slice(0, maxObjects).map(({ entry }) => ({
          ...pickEntry(entry, goal.action, around),
          key: `do:${goal.action.resource}.${goal.action.name}:${entry.key}`,
        }))
      })
      .slice(0, maxCombined)
      .map((entry, place) => ({ entry, tier: Tier.words, score: 1, place, ranges: [] }))
  }

  /** "run uptime" on the scope. */
  const inline = (query: string, inScope: readonly SearchEntry[]): Match<SearchEntry>[] => {
    const around = surroundings()
    return inScope
      .flatMap((entry) => withArgument(entry, query, around) ?? [])
      .map((entry, place) => ({ entry, tier: Tier.anywhere, score: 1, place, ranges: [] }))
  }

  let fixedSource = createSource<SearchEntry>([])
  /** Most key presses search the same texts. */
  const sourceOf = (fixed: readonly SearchEntry[]): Source<SearchEntry> => {
    fixedSource = renewSource(fixed, fixedSource)
    return fixedSource
  }

  const narrowed = (
    only: Only,
    query: string,
    fixed: readonly SearchEntry[],
    files: OpenFolder | null,
  ): readonly Source<SearchEntry>[] => {
    if (only === 'files') return files ? [fileSource(files)] : []
    if (only === null) return [sourceOf(fixed), ...listed.flatMap(({ name }) => recordsOf(name, query) ?? [])]
    if (only === 'actions') return [sourceOf(fixed)]
    if (only === 'keys') return [createSource(fixed.filter(({ chord }) => chord.web !== null || chord.tui !== null))]
    return [recordsOf(only, query) ?? []].flat()
  }

  const recent = (fixed: readonly SearchEntry[]): readonly SearchEntry[] => {
    const byKey = new Map(fixed.map((entry) => [entry.key, entry]))
    return frecency.top(maxRecent * 2).flatMap((key) => {
      const [, name, id] = /^record:([^:]+):(\d+)$/.exec(key) ?? []
      return byKey.get(key) ?? recordsOf(name as ResourceName, '')?.byId(Number(id)) ?? []
    })
  }

  const atRest = (inScope: readonly SearchEntry[], fixed: readonly SearchEntry[]): SearchResult => {
    const pages = fixed.filter(({ key }) => key.startsWith('command:go:'))
    const recents = recent(fixed).filter((entry) => !pages.includes(entry) && !inScope.includes(entry))
    const groups = [
      { key: 'scope', label: { key: 'ui.palette.group.scope' }, hits: inScope.map(bare) },
      { key: 'recent', label: { key: 'ui.palette.group.recent' }, hits: recents.slice(0, maxRecent).map(bare) },
      { key: 'command', label: { key: 'ui.palette.group.pages' }, hits: pages.map(bare) },
    ].filter(({ hits }) => hits.length > 0)
    return { groups, total: groups.reduce((sum, { hits }) => sum + hits.length, 0), canWiden: false }
  }

  const pickPage = (query: string, action: Action): SearchResult => {
    const around = surroundings()
    const source = recordsOf(action.resource, query) ?? createSource<SearchEntry>([])
    const matches = query === '' ? source.entries.map(bare) : rank(find(query, source))
    const hits = matches
      .slice(0, maxHits)
      .map(({ entry, ranges }) => ({ entry: { ...pickEntry(entry, action, around), detail: entry.detail }, ranges }))
    const groups = hits.length > 0 ? [{ key: 'pick', label: { key: textKey.many(action.resource) }, hits }] : []
    return { groups, total: matches.length, canWiden: false }
  }

  return {
    *warm() {
      const around = surroundings()
      const fixed = () => [
        ...actionEntries(resources, around, null),
        ...commandEntries(around, { here: null, front, files: null, connections }),
      ]
      const lists = listed.flatMap(({ name, host }) => (host ? [] : () => recordsOf(name, '')))
      for (const source of [() => sourceOf(fixed()), ...lists]) {
        // The matcher prepares each text on first use.
        matchAll('a', source() ?? createSource([]), 1)
        yield
      }
    },
    query({ query: typed, scope, here, pick, files = null }) {
      if (pick) return pickPage(typed.trim(), pick)
      const around = surroundings()
      const prefix = searchPrefixes.find(
        (one) => typed.startsWith(one.prefix) && !/^#\d+$/.test(typed) && (one.only !== 'files' || files !== null),
      )
      const only: Only = prefix?.only ?? null
      const query = (prefix ? typed.slice(1) : typed).trim()
      const inScope = scope && scope.rows.length > 0 ? scopeEntries(scope.resource, scope.rows, around) : []
      const inScopeKeys = new Set(inScope.map(({ key }) => key))
      const actions = actionEntries(resources, around, here).filter(({ key }) => !inScopeKeys.has(key))
      const fixed = [...actions, ...commandEntries(around, { here, front, files, connections })]
      if (query === '' && only === null) return atRest(inScope, fixed)
      const forAll = only === null || only === 'actions'
      const places = [...(forAll ? [createSource(inScope)] : []), ...narrowed(only, query, fixed, files)]
      if (query === '') return groupHits(places.flatMap(({ entries }) => entries).map(bare), inScopeKeys)
      const found = [
        ...places.flatMap((source) => find(query, source)),
        ...(forAll ? [...combine(query, actions), ...inline(query, inScope)] : []),
      ]
      const isVague = found.every(({ tier }) => tier < Tier.anywhere)
      const meant = isVague ? places.flatMap((source) => matchTypos(query, source, maxHits)) : []
      // Scattered letters are no match beside whole words.
      const near = isVague
        ? found.filter(({ tier, score }) => tier > Tier.fuzzy || score >= leastScore)
        : found.filter(({ tier }) => tier > Tier.fuzzy)
      const matches = rank([...meant, ...without(near, meant)])
      if (matches.length > 0) return groupHits(matches, inScopeKeys)
      const offers = createEntries(query, resources, around).map(bare)
      return { ...groupHits(offers, inScopeKeys), total: 0, canWiden: only !== null }
    },
  }
}

function without(
  found: readonly Match<SearchEntry>[],
  others: readonly Match<SearchEntry>[],
): readonly Match<SearchEntry>[] {
  const taken = new Set(others.map(({ entry }) => entry))
  return found.filter(({ entry }) => !taken.has(entry))
}

/** "run uptime" on the scope: the first words name the action, the rest is its first argument (behavior P-16). Null if the entry takes no such text. */
function withArgument(
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

/** The text after the action’s name, or after the beginning of one of its words. */
function argumentOf(query: string, label: string, words: readonly string[]): string | null {
  const isNamed = query.toLowerCase().startsWith(label.toLowerCase())
  const rest = isNamed ? /^[:\s]\s*(\S.*)$/.exec(query.slice(label.length))?.[1] : undefined
  if (rest !== undefined) return rest
  const [, verb, text] = /^([^\s:]{2,}):?\s+(\S.*)$/.exec(query) ?? []
  return verb !== undefined && text !== undefined && words.some((word) => word.startsWith(verb.toLowerCase()))
    ? text
    : null
}
