/** Printable ASCII except digits and letters, in collation order; digits and letters follow. */
const signs = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$'

let collator: Intl.Collator | undefined

/** A sort key: made once per text, compared many times. */
export interface NaturalKey {
  readonly text: string
  /** Sorts by code units like the text; null if only the collator knows the order. */
  readonly plain: string | null
}

/** Caches keys: a live list is sorted every second by the same names. */
let known = new Map<string, NaturalKey>()
const maxKnown = 20_000

export function naturalKey(text: string): NaturalKey {
  const before = known.get(text)
  if (before) return before
  const key = { text, plain: /^[ -~]*$/.test(text) ? partsOf(text).map(plainPart).join('') : null }
  if (known.size >= maxKnown) known = new Map()
  known.set(text, key)
  return key
}

/** Compares in natural order (web-2 before web-10), ignoring case. Creating a collator takes 7 ms, so printable ASCII, which most names are, does without it. */
export function compareNatural(a: NaturalKey, b: NaturalKey): number {
  if (a.plain !== null && b.plain !== null) return Number(a.plain > b.plain) - Number(a.plain < b.plain)
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  return collator.compare(a.text, b.text)
}

/** Runs of digits without leading zeros, and all other characters one by one. */
const partsOf = (text: string) => text.match(/0*(?:[1-9]\d*|0(?!\d))|\D/g) ?? []

/** Signs, then numbers (first by their length), then letters, which begin at 97. */
function plainPart(part: string): string {
  if (/^\d/.test(part)) {
    const digits = part.replace(/^0+(?=\d)/, '')
    return String.fromCharCode(signs.length, digits.length) + digits
  }
  const sign = signs.indexOf(part)
  return sign < 0 ? part.toLowerCase() : String.fromCharCode(sign)
}
