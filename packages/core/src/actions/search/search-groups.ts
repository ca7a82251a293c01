import { textKey } from '../../define/index.ts'
import type { TextRef } from '../text.ts'
import type { SearchEntry } from './search-entries.ts'
import { type Match, type Ranges, Tier } from './search-match.ts'

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
  /** Of all that match, also beyond the 50; 0 where only offers to create are left. */
  readonly total: number
  /** Nothing was found and the search was narrowed: offer to search everything. */
  readonly canWiden: boolean
}

/** More lines than this are not shown. */
export const maxHits = 50

/** An entry that no query met. */
export function bare(entry: SearchEntry): SearchHit {
  return { entry, ranges: [] }
}

/**
 * The best 50 under their headings, from ranked lines. A heading stands where its best line would, but what is marked or focused
 * comes first unless an id, a name or an address was typed in full.
 */
export function groupHits(
  lines: readonly (SearchHit & Partial<Match<SearchEntry>>)[],
  inScope: ReadonlySet<string>,
): SearchResult {
  const groups = new Map<string, SearchHit[]>()
  for (const { entry, ranges } of lines.slice(0, maxHits)) {
    const key = groupOf(entry, inScope)
    const hits = groups.get(key) ?? []
    groups.set(key, hits)
    hits.push({ entry, ranges })
  }
  const isMeant = (lines[0]?.tier ?? 0) >= Tier.whole
  const ordered = [...groups].sort(([a], [b]) => (isMeant ? 0 : Number(b === 'scope') - Number(a === 'scope')))
  return {
    groups: ordered.map(([key, hits]) => ({ key, label: labelOf(key), hits })),
    total: lines.length,
    canWiden: false,
  }
}

function groupOf({ goal, key }: SearchEntry, inScope: ReadonlySet<string>): string {
  if (goal.kind === 'record') return goal.resource
  if (inScope.has(key)) return 'scope'
  return goal.kind === 'pick' ? 'action' : goal.kind
}

const labels: Readonly<Record<string, string>> = {
  scope: 'ui.palette.group.scope',
  action: 'ui.palette.group.actions',
  command: 'ui.palette.group.pages',
  create: 'ui.palette.group.create',
  file: 'ui.palette.group.files',
}

function labelOf(key: string): TextRef {
  return { key: labels[key] ?? textKey.many(key) }
}
