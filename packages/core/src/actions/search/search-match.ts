import * as fuzzysort from 'fuzzysort'

/** Half-open ranges of a text that a query met, in UTF-16 units. */
export type Ranges = readonly (readonly [start: number, end: number])[]

/** A text that is searched many times: a title, and what else an entry is known by. */
export interface Searchable {
  readonly title: string
  /** Aliases, addresses, notes: found but not shown in bold. */
  readonly extra: string
  readonly target: fuzzysort.Prepared
  readonly extraTarget: fuzzysort.Prepared
  /** Lower-case words of the title, and of both. */
  readonly words: readonly string[]
  readonly allWords: readonly string[]
}

/** Prepares a text once; this is what makes each key cheap. */
export function prepare(title: string, extra: string): Searchable {
  const words = wordsOf(title)
  return {
    title,
    extra,
    target: fuzzysort.prepare(title),
    extraTarget: fuzzysort.prepare(extra),
    words,
    allWords: [...words, ...wordsOf(extra)],
  }
}

/** Lower-case words: runs of letters and digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** How well a query meets a text; a larger tier is better whatever the score. */
export interface Match<Entry> {
  readonly entry: Entry
  readonly tier: number
  /** Of the fuzzy matcher, 0 to 1; orders within a tier. */
  readonly score: number
  /** Where the entry stands among all, for ties. */
  readonly place: number
  readonly ranges: Ranges
}

/** Tiers, best first (behaviour P-08). An exact id stands above all and is the caller's to find. */
export const Tier = { id: 7, whole: 6, start: 5, words: 4, initials: 3, anywhere: 2, typo: 1, fuzzy: 0 } as const

/** Entries that are searched together, prepared once for as long as they stay the same. */
export interface Source<Entry extends Searchable> {
  readonly entries: readonly Entry[]
  readonly snapshot: fuzzysort.SnapshotKeys<Entry>
  readonly places: ReadonlyMap<Entry, number>
}

/** Prepares entries for searching. */
export function createSource<Entry extends Searchable>(entries: readonly Entry[]): Source<Entry> {
  return {
    entries,
    snapshot: fuzzysort.snapshot(entries, { keys: [(entry) => entry.target, (entry) => entry.extraTarget] }),
    places: new Map(entries.map((entry, place) => [entry, place])),
  }
}

/** Entries that match, at most `limit`, unordered. */
export function matchAll<Entry extends Searchable>(
  query: string,
  { snapshot, places }: Source<Entry>,
  limit: number,
): Match<Entry>[] {
  return fuzzysort.go(query, snapshot, { limit, threshold: 0.2 }).map((result) => ({
    entry: result.obj,
    place: places.get(result.obj) ?? 0,
    tier: tierOf(query, result.obj),
    score: result.score,
    ranges: rangesOf(result[0]?.indexes ?? []),
  }))
}

/** Entries with a word that differs from the query by one typing mistake. For queries that found nothing better. */
export function matchTypos<Entry extends Searchable>(
  query: string,
  { entries }: Source<Entry>,
  limit: number,
): Match<Entry>[] {
  const typed = query.toLowerCase().trim()
  if (typed.length < 4) return []
  const matches: Match<Entry>[] = []
  for (const [place, entry] of entries.entries()) {
    if (matches.length >= limit) break
    const isMeant = entry.allWords.some((word) => isNear(typed, word))
    if (isMeant) matches.push({ entry, tier: Tier.typo, score: 0, place, ranges: [] })
  }
  return matches
}

function tierOf(query: string, { title, extra, words, allWords }: Searchable): number {
  const typed = query.toLowerCase().trim()
  const lower = title.toLowerCase()
  if (lower === typed) return Tier.whole
  if (lower.startsWith(typed)) return Tier.start
  const known = extra.toLowerCase().split(' ')
  // An address in full is as good as a name; a synonym in full as good as a word of the name.
  if (known.includes(typed)) return /[.:]/.test(typed) ? Tier.whole : Tier.words
  const parts = wordsOf(typed)
  if (beginEach(parts, words)) return Tier.words
  if (
    words.length > 1 &&
    words
      .map((word) => word[0])
      .join('')
      .startsWith(typed)
  )
    return Tier.initials
  if (beginEach(parts, allWords) || lower.includes(typed)) return Tier.anywhere
  return Tier.fuzzy
}

function beginEach(parts: readonly string[], words: readonly string[]): boolean {
  return parts.length > 0 && parts.every((part) => words.some((word) => word.startsWith(part)))
}

function rangesOf(indexes: readonly number[]): Ranges {
  const ranges: [number, number][] = []
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === index) last[1] = index + 1
    else ranges.push([index, index + 1])
  }
  return ranges
}

/** True when `typed` becomes the beginning of `word` by one exchange, insertion, deletion or swap of neighbours. */
export function isNear(typed: string, word: string): boolean {
  let at = 0
  while (at < typed.length && typed[at] === word[at]) at++
  if (at === typed.length) return true
  const rest = typed.slice(at)
  const exchanged = word.startsWith(rest.slice(1), at + 1)
  const inserted = word.startsWith(rest.slice(1), at)
  const deleted = word.startsWith(rest, at + 1)
  const [first = '', second = ''] = rest
  const swapped = second !== '' && word.startsWith(second + first + rest.slice(2), at)
  return exchanged || inserted || deleted || swapped
}
