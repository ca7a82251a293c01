import type { Field, View } from '../define/index.ts'

/** `!=` is the negation of `=`. */
export type Operator = ':' | '=' | '<' | '<=' | '>' | '>='

/** A value to compare with. `prefix`: it is still being typed, so its beginning is enough. */
export interface Operand {
  readonly text: string
  readonly quoted: boolean
  readonly operator: Operator
  readonly prefix: boolean
}

/** A test of a field’s value, prepared for many rows. */
export type Matcher = (view: View) => (value: unknown) => boolean

export interface Comparison<F extends Field = Field> {
  /** Supports `<` and the like. */
  readonly ordered: boolean
  /** Null if the value is invalid for this kind. */
  compile(operand: Operand, field: F): Matcher | null
  /** Suggested values; `values` are those of the known rows. */
  suggest(field: F, view: View, values: () => readonly unknown[]): readonly string[]
}

export type Node =
  | { readonly kind: 'all' | 'any'; readonly of: readonly Node[] }
  | { readonly kind: 'not'; readonly of: Node }
  | { readonly kind: 'field'; readonly field: string; readonly any: readonly Matcher[] }
  | { readonly kind: 'word'; readonly operand: Operand }

/** An empty one matches every row. */
export interface Selection {
  readonly text: string
  readonly node: Node
}

/** Whether a query names nothing, such as an empty text or `""`: it matches every row, but nobody said so. */
export function isEmptySelection({ node }: Selection): boolean {
  return node.kind === 'all' && node.of.length === 0
}

export function selectedFields({ node }: Selection): string[] {
  const of = (part: Node): string[] => {
    if (part.kind === 'field') return [part.field]
    if (part.kind === 'word') return []
    return part.kind === 'not' ? of(part.of) : part.of.flatMap(of)
  }
  return [...new Set(of(node))]
}

/** Texts at `errors.selection.<code>`. */
export type SelectionProblemCode =
  | 'unknownTerm'
  | 'unsupported'
  | 'noValue'
  | 'badValue'
  | 'notOption'
  | 'notComparable'
  | 'openQuote'
  | 'openParen'
  | 'strayParen'
  | 'dangling'

/** The first problem, at `text.slice(at, to)`. */
export interface SelectionProblem {
  readonly at: number
  readonly to: number
  readonly code: SelectionProblemCode
  readonly params: Readonly<Record<string, string>>
}

export function selectionProblemKey({ code }: SelectionProblem): `errors.selection.${SelectionProblemCode}` {
  return `errors.selection.${code}`
}
