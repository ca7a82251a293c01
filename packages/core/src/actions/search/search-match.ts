import * as fuzzysort from 'fuzzysort'

/** Half-open ranges of matches, in UTF-16 units. */
export type Ranges = readonly (readonly [start: number, end: number])[]

/** A prepared text: a title, and other text that the entry is found by. */
export interface Searchable {
  readonly title: string
  /** Aliases, addresses, notes: found but not highlighted. */
  readonly extra: string
  readonly target: fuzzysort.Prepared
  readonly extraTarget: fuzzysort.Prepared
  /** Lower-case words of the title, and of both. */
  readonly words: readonly string[]
  readonly allWords: readonly string[]
}

/** Prepares a text once, so that each key press is cheap. */
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

const maxKept = 2000
const kept = new Map<string, Searchable>()

/** `prepare` for texts that the next key press needs again. */
export function prepareOnce(title: string, extra: string): Searchable {
  const key = `${title}\n${extra}`
  const before = kept.get(key)
  if (before) return before
  const prepared = prepare(title, extra)
  if (kept.size >= maxKept) kept.clear()
  kept.set(key, prepared)
  return prepared
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** A larger tier is better, whatever the score. */
export interface Match<Entry> {
  readonly entry: Entry
  readonly tier: number
  /** Of the fuzzy matcher, 0 to 1; orders within a tier. */
  readonly score: number
  /** Index among all entries, for ties. */
  readonly place: number
  readonly ranges: Ranges
}

/** Tiers, best first (behavior P-08). The caller finds exact IDs itself. */
export const Tier = { id: 7, whole: 6, start: 5, words: 4, initials: 3, anywhere: 2, typo: 1, fuzzy: 0 } as const

export interface Source<Entry extends Searchable> {
  readonly entries: readonly Entry[]
  readonly snapshot: fuzzysort.SnapshotKeys<Entry>
  readonly places: ReadonlyMap<Entry, number>
}

export function createSource<Entry extends Searchable>(entries: readonly Entry[]): Source<Entry> {
  return {
    entries,
    snapshot: fuzzysort.snapshot(entries, { keys: [(entry) => entry.target, (entry) => entry.extraTarget] }),
    places: new Map(entries.map((entry, place) => [entry, place])),
  }
}

/** The source of these entries; `before` with them if their texts are its own. */
export function renewSource<Entry extends Searchable>(entries: readonly Entry[], before: Source<Entry>): Source<Entry> {
  const isSame = (entry: Entry, index: number) => {
    const other = before.entries[index]
    return entry.target === other?.target && entry.extraTarget === other.extraTarget
  }
  return entries.length === before.entries.length && entries.every(isSame)
    ? { ...before, entries }
    : createSource(entries)
}

export function matchAll<Entry extends Searchable>(
  query: string,
  { entries, snapshot, places }: Source<Entry>,
  limit: number,
): Match<Entry>[] {
  return fuzzysort.go(query, snapshot, { limit, threshold: 0.2 }).map((result) => {
    const place = places.get(result.obj) ?? 0
    return {
      entry: entries[place] ?? result.obj,
      place,
      tier: tierOf(query, result.obj),
      score: result.score,
      ranges: rangesOf(result[0]?.indexes ?? []),
    }
  })
}

/** Entries with a word one typo away from the query, for queries without better matches. */
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
  // A full address is as good as a name; a full synonym as good as a word of the name.
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

/** Whether `typed` becomes a prefix of `word` by one replacement, insertion, deletion or swap of neighbors. */
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
