/** Printable ASCII but digits and letters, in the order collation has for them; digits and letters follow. */
const signs = ' _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$'

let collator: Intl.Collator | undefined

/** What a text is ordered by: made once per text, compared many times. */
export interface NaturalKey {
  readonly text: string
  /** Orders by its code units as the text does; null where only the collator knows. */
  readonly plain: string | null
}

/** Keys of texts that were asked for: a live list is put in order each second, by the same names. */
let known = new Map<string, NaturalKey>()
const maxKnown = 20_000

/** Reads the key of a text. */
export function naturalKey(text: string): NaturalKey {
  const before = known.get(text)
  if (before) return before
  const key = { text, plain: /^[ -~]*$/.test(text) ? partsOf(text).map(plainPart).join('') : null }
  if (known.size >= maxKnown) known = new Map()
  known.set(text, key)
  return key
}

/**
 * The order of two texts as people count (web-2 before web-10), without regard to case. The collator of the platform decides, which takes
 * 7 ms to make: for texts of printable ASCII, which most names are, the same order is found without it.
 */
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
