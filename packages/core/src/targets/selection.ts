import type { Field, View } from '../define/index.ts'

/** How a term compares; `!=` is the negation of `=`. */
export type Operator = ':' | '=' | '<' | '<=' | '>' | '>='

/** One value as it was asked for. `prefix`: it is still being typed, so its beginning is enough. */
export interface Asked {
  readonly text: string
  readonly quoted: boolean
  readonly operator: Operator
  readonly prefix: boolean
}

/** A test of a field's value, made once per pass over the rows. */
export type Matcher = (view: View) => (value: unknown) => boolean

/** What the fields of a kind can be asked. */
export interface Comparison<F extends Field = Field> {
  /** Takes `<` and its like. */
  readonly ordered: boolean
  /** The test, or null when the value makes no sense for this kind. */
  compile(asked: Asked, field: F): Matcher | null
  /** Values worth offering; `values` are those the known rows have. */
  suggest(field: F, view: View, values: () => readonly unknown[]): readonly string[]
}

/** A selection in a form that is evaluated without looking at its text again. */
export type Node =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Node[] }
  | { readonly kind: 'not'; readonly of: Node }
  | { readonly kind: 'field'; readonly field: string; readonly any: readonly Matcher[] }
  | { readonly kind: 'word'; readonly asked: Asked }

/** A parsed selection; an empty one matches every row. */
export interface Selection {
  readonly text: string
  readonly node: Node
}

/** True for a selection that names nothing, such as an empty text or `""`: it matches every row, which nobody said. */
export function isEmptySelection({ node }: Selection): boolean {
  return node.kind === 'all' && node.of.length === 0
}

/** The fields that a selection asks for by name. */
export function selectedFields({ node }: Selection): string[] {
  const of = (part: Node): string[] => {
    if (part.kind === 'field') return [part.field]
    if (part.kind === 'word') return []
    return part.kind === 'not' ? of(part.of) : part.of.flatMap(of)
  }
  return [...new Set(of(node))]
}

/** What can be wrong with a selection; each has a sentence at `errors.selection.<code>`. */
export type SelectionProblemCode =
  | 'unknownTerm'
  | 'untold'
  | 'noValue'
  | 'badValue'
  | 'notOption'
  | 'notComparable'
  | 'openQuote'
  | 'openParen'
  | 'strayParen'
  | 'dangling'

/** The first thing wrong with a selection, at `text.slice(at, to)`. */
export interface SelectionProblem {
  readonly at: number
  readonly to: number
  readonly code: SelectionProblemCode
  readonly params: Readonly<Record<string, string>>
}

/** The key of the sentence about a problem; its parameters are the problem's. */
export function selectionProblemKey({ code }: SelectionProblem): `errors.selection.${SelectionProblemCode}` {
  return `errors.selection.${code}`
}
