import { type Field, queryWords, type Resource } from '../define/index.ts'
import { comparisonFor } from './compare.ts'
import { plainName } from './compare-text.ts'
import type { Comparison } from './selection.ts'

export interface Term {
  readonly field: string
  readonly names: readonly string[]
  readonly definition: Field
  readonly comparison: Comparison
}

/** A bare word with a meaning: an option of a choice, or a flag’s name. */
export interface TermWord {
  readonly word: string
  /** Whether completion suggests it; false for an option’s former word. */
  readonly offered: boolean
  readonly term: Term
  readonly value: string
}

export interface Terms {
  readonly all: readonly Term[]
  readonly words: readonly TermWord[]
  /** By name or alias, ignoring case and hyphens. */
  find(name: string): Term | undefined
}

const known = new WeakMap<Resource, Terms>()

/** The terms of a resource’s fields, and `id`. */
export function termsOf(resource: Resource): Terms {
  const terms = known.get(resource) ?? collect(resource)
  known.set(resource, terms)
  return terms
}

function collect(resource: Resource): Terms {
  const all: Term[] = []
  for (const [field, definition] of Object.entries<Field>({ id: { kind: 'number' }, ...resource.fields })) {
    const comparison = comparisonFor(definition)
    if (comparison) all.push({ field, names: [field, ...(definition.aliases ?? [])], definition, comparison })
  }
  const byName = new Map<string, Term>()
  for (const term of all) {
    for (const name of term.names) if (!byName.has(plainName(name))) byName.set(plainName(name), term)
  }
  return { all, words: all.flatMap(wordsOf), find: (name) => byName.get(plainName(name)) }
}

function wordsOf(term: Term): TermWord[] {
  const { definition, names } = term
  if (definition.kind === 'flag') return names.map((word) => ({ word, offered: true, term, value: 'true' }))
  if (definition.kind !== 'choice' || !definition.words) return []
  return Object.keys(definition.options).flatMap((value) =>
    queryWords(definition, value).map((word, index) => ({ word, offered: index === 0, term, value })),
  )
}
