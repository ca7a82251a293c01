import { textKey } from '../../define/index.ts'
import type { TextRef } from '../text.ts'
import type { SearchEntry } from './search-entries.ts'
import { type Match, type Ranges, Tier } from './search-match.ts'

export interface SearchHit {
  readonly entry: SearchEntry
  readonly ranges: Ranges
}

export interface SearchGroup {
  readonly key: string
  readonly label: TextRef
  readonly hits: readonly SearchHit[]
}

export interface SearchResult {
  readonly groups: readonly SearchGroup[]
  /** All matches, also beyond the first 50; 0 if only entries to create are left. */
  readonly total: number
  /** Nothing was found with a prefix, so suggest searching everything. */
  readonly canWiden: boolean
}

export const maxHits = 50

export function bare(entry: SearchEntry): SearchHit {
  return { entry, ranges: [] }
}

/**
 * Groups the best 50 of the ranked hits. A group ranks by its best hit, but the scope’s comes first unless an ID, name or address was typed in
 * full.
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
