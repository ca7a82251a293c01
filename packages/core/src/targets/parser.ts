import { isSupported, queryWords, type Resource, type View } from '../define/index.ts'
import { defined, firstItem } from '../errors.ts'
import { plainName } from './compare-text.ts'
import { type Token, tokens } from './lexer.ts'
import { nearest } from './nearest.ts'
import type {
  Matcher,
  Node,
  Operand,
  Operator,
  Selection,
  SelectionProblem,
  SelectionProblemCode,
} from './selection.ts'
import { type Term, type Terms, termsOf } from './terms.ts'

/** `selection` is always usable: of an invalid query it has the valid parts. */
export type ParsedSelection =
  | { readonly ok: true; readonly selection: Selection }
  | { readonly ok: false; readonly selection: Selection; readonly problem: SelectionProblem }

/**
 * Parses a query. Never throws. Grammar: docs/reference/query-language.md. `partial`: the query is still being typed, so its last token may be
 * incomplete and is then left out or completed. `view`: reports fields that the server doesn’t support.
 */
export function parseSelection(
  resource: Resource,
  text: string,
  { partial = false, view = {} }: { partial?: boolean; view?: Pick<View, 'supports'> } = {},
): ParsedSelection {
  const parser = new Parser(text, termsOf(resource), { partial, view })
  const selection = { text, node: parser.parse() }
  return parser.problem ? { ok: false, selection, problem: parser.problem } : { ok: true, selection }
}

const everything: Node = { kind: 'all', of: [] }

/** Recursive descent; keeps the first problem and continues. */
class Parser {
  problem: SelectionProblem | null = null
  private readonly text: string
  private readonly terms: Terms
  private readonly partial: boolean
  private readonly view: Pick<View, 'supports'>
  private readonly tokens: readonly Token[]
  private next = 0

  constructor(text: string, terms: Terms, { partial, view }: { partial: boolean; view: Pick<View, 'supports'> }) {
    this.text = text
    this.terms = terms
    this.partial = partial
    this.view = view
    this.tokens = tokens(text)
  }

  parse(): Node {
    const parts = [this.either()]
    for (let stray = this.take('close'); stray; stray = this.take('close')) {
      this.complain('strayParen', stray)
      parts.push(this.either())
    }
    return joined('all', parts) ?? everything
  }

  private either(): Node | null {
    const parts = [this.every()]
    for (let or = this.take('or'); or; or = this.take('or')) {
      const [left, start] = [this.tokens[this.next - 2], this.next]
      parts.push(this.every())
      if (!left || left.kind === 'open' || left.kind === 'or' || this.next === start) this.complain('dangling', or)
    }
    return joined('any', parts)
  }

  private every(): Node | null {
    const parts: (Node | null)[] = []
    for (let token = this.peek(); token && token.kind !== 'or' && token.kind !== 'close'; token = this.peek()) {
      parts.push(this.one())
    }
    return joined('all', parts)
  }

  private one(): Node | null {
    const token = defined(this.tokens[this.next++])
    if (token.kind === 'negation') return this.negated(token)
    if (token.kind === 'open') return this.group(token)
    if (token.kind === 'key') return this.term(token)
    if (token.kind === 'word') return this.word(token)
    return null
  }

  private negated(token: Token): Node | null {
    const next = this.peek()
    if (!next || next.kind === 'close' || next.kind === 'or' || next.kind === 'and') {
      this.complain('dangling', token)
      return null
    }
    const node = this.one()
    return node && { kind: 'not', of: node }
  }

  private group(token: Token): Node | null {
    const node = this.either()
    if (!this.take('close') && !this.partial) this.complain('openParen', token)
    return node
  }

  private word(token: Token): Node | null {
    if (token.open && !this.partial) this.complain('openQuote', token)
    if (token.text.trim() === '') return null
    const plain = plainName(token.text)
    const typing = this.isTyped(token)
    const operand: Operand = { text: token.text, quoted: token.quoted, operator: ':', prefix: false }
    const search: Node = { kind: 'word', operand }
    if (token.quoted) return search
    const exact = this.terms.words.find(({ word }) => plainName(word) === plain)
    if (exact && !this.supports(exact.term))
      return this.refuse('unsupported', token, token, { term: firstItem(exact.term.names) })
    if (exact) return this.field(exact.term, { ...operand, text: exact.value })
    const begun =
      typing && plain.length > 1
        ? this.terms.words.filter(({ word, term }) => plainName(word).startsWith(plain) && this.supports(term))
        : []
    if (begun.length === 0) return search
    const fields = begun.map(({ term, value }) => this.field(term, { ...operand, text: value }))
    return joined('any', [search, ...fields])
  }

  private field(term: Term, operand: Operand): Node | null {
    const matcher = term.comparison.compile(operand, term.definition)
    return matcher && { kind: 'field', field: term.field, any: [matcher] }
  }

  private term(key: Token): Node | null {
    const sign = defined(this.tokens[this.next++])
    const values = this.values()
    const last = values.at(-1) ?? sign
    const term = this.terms.find(key.text)
    if (!term) return this.unknown(key, last)
    if (!this.supports(term)) return this.refuse('unsupported', key, last, { term: key.text })
    const operator = (sign.text === '!=' ? '=' : sign.text) as Operator
    if (!term.comparison.ordered && /[<>]/.test(operator)) {
      return this.refuse('notComparable', sign, last, { term: key.text, operator })
    }
    if (values.length === 0) return this.refuse('noValue', sign, last, { term: key.text })
    const any: Matcher[] = []
    for (const value of values) {
      if (value.open && !this.partial) this.complain('openQuote', value)
      const operand = { text: value.text, quoted: value.quoted, operator, prefix: this.isTyped(value) }
      const matcher = term.comparison.compile(operand, term.definition)
      if (matcher) any.push(matcher)
      else this.refuseValue(value, last, key.text, term)
    }
    if (any.length === 0) return null
    const node: Node = { kind: 'field', field: term.field, any }
    return sign.text === '!=' ? { kind: 'not', of: node } : node
  }

  private supports({ definition }: Term): boolean {
    return isSupported(definition, this.view)
  }

  private values(): Token[] {
    const values: Token[] = []
    for (;;) {
      const value = this.take('value')
      if (value) values.push(value)
      if (!this.take('comma')) return values
    }
  }

  private unknown(key: Token, last: Token): null {
    const names = this.terms.all.flatMap((term) => term.names)
    return this.refuse('unknownTerm', key, last, { term: key.text, near: nearest(key.text, names).join(', ') })
  }

  private refuseValue(value: Token, last: Token, name: string, { definition }: Term): void {
    if (definition.kind === 'choice') {
      const words = Object.keys(definition.options).map((option) => queryWords(definition, option)[0])
      const options = words.join(', ')
      this.refuse('notOption', value, last, { term: name, value: value.text, options })
    } else this.refuse('badValue', value, last, { term: name, value: value.text })
  }

  /** Drops a term; reports a problem unless its last token is being typed. */
  private refuse(code: SelectionProblemCode, at: Token, last: Token, params: Readonly<Record<string, string>>): null {
    if (!this.isTyped(last)) this.complain(code, at, params)
    return null
  }

  private complain(code: SelectionProblemCode, token: Token, params: Readonly<Record<string, string>> = {}): void {
    const { from, to } = token
    if (!this.isTyped(token)) {
      this.problem ??= { at: from, to, code, params: { text: this.text.slice(from, to), ...params } }
    }
  }

  /** Whether a token is still being typed: values and words end with a space; after a sign one may follow. */
  private isTyped({ kind, to }: Token): boolean {
    const isWhole = kind === 'value' || kind === 'word'
    return this.partial && to === (isWhole ? this.text : this.text.trimEnd()).length
  }

  private peek(): Token | undefined {
    return this.tokens[this.next]
  }

  private take(kind: Token['kind']): Token | null {
    const token = this.tokens[this.next]
    if (token?.kind !== kind) return null
    this.next++
    return token
  }
}

function joined(kind: 'all' | 'any', parts: readonly (Node | null)[]): Node | null {
  const of = parts.filter((part) => part !== null)
  return of.length > 1 ? { kind, of } : (of[0] ?? null)
}
