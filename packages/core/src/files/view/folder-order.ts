import { defined, firstItem, lastItem } from '../../errors.ts'
export interface FolderEntry {
  readonly name: string
  readonly kind: 'folder' | 'file' | 'link' | 'other'
}

export const isFolder = ({ kind }: FolderEntry): boolean => kind === 'folder'

let collator: Intl.Collator | undefined

/** Sorts folders first (the spec’s "type, descending"), then by name in natural order. */
export function orderFolder<Entry extends FolderEntry>(entries: readonly Entry[]): readonly Entry[] {
  collator ??= new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
  const { compare } = collator
  return [...entries].sort(
    (a, b) =>
      Number(isFolder(b)) - Number(isFolder(a)) ||
      compare(a.name, b.name) ||
      Number(a.name > b.name) - Number(a.name < b.name),
  )
}

/** The entries whose names contain every word of a filter, ignoring case; the same list for an empty one. `*` is a wildcard. */
export function filterFolder<Entry extends FolderEntry>(entries: readonly Entry[], filter: string): readonly Entry[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  const tests = words.map((word) => {
    const parts = word.split('*')
    return parts.length === 1 ? (name: string) => name.includes(word) : (name: string) => holdsInTurn(name, parts)
  })
  return entries.filter(({ name }) => {
    const plain = name.toLowerCase()
    return tests.every((test) => test(plain))
  })
}

/** Matches wildcards without a regular expression, which a typed pattern could make slow. */
function holdsInTurn(name: string, parts: readonly string[]): boolean {
  const [first, last] = [firstItem(parts), lastItem(parts)]
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

/** Type-ahead: the first name from `from` on, wrapping around, that begins with the typed letters, else one that contains them; null if none does. */
export function findByName(entries: readonly FolderEntry[], typed: string, from = 0): number | null {
  const text = typed.toLowerCase()
  if (text === '') return null
  let held: number | null = null
  for (let step = 0; step < entries.length; step++) {
    const at = (from + step) % entries.length
    const name = defined(entries[at]).name.toLowerCase()
    if (name.startsWith(text)) return at
    if (held === null && name.includes(text)) held = at
  }
  return held
}
