import { fieldValue, isSupported, type Resource, type View } from '../define/index.ts'
import { defined } from '../errors.ts'
import { quote, type Token, tokens } from './lexer.ts'
import { type Term, termsOf } from './terms.ts'

/** `text` replaces the range being completed. */
export interface Completion {
  readonly text: string
  /** A term with its operator, a value of a term, or a word with a meaning. */
  readonly kind: 'term' | 'value' | 'word'
  readonly field: string
}

/** Best first; `from` and `to` enclose the replaced range. */
export interface Completions {
  readonly from: number
  readonly to: number
  readonly items: readonly Completion[]
}

const most = 50

/** Suggests values within a term, else terms and words. */
export function completions(resource: Resource, text: string, cursor: number, view: View): Completions {
  const all = tokens(text)
  const at = all.findLastIndex(({ from, to }) => from < cursor && cursor <= to)
  const token = all[at]
  const term = token && termAt(all, at, resource)
  if (token && term) return valuesOf(term, { resource, view, token, cursor })
  const isWord = token?.kind === 'word' || token?.kind === 'key' || token?.kind === 'and' || token?.kind === 'or'
  if (!token || !isWord || token.quoted) {
    return { from: cursor, to: cursor, items: token?.quoted ? [] : wordsFor('', resource, view) }
  }
  const end = token.kind === 'key' ? defined(all[at + 1]).to : token.to
  return { from: token.from, to: end, items: wordsFor(text.slice(token.from, cursor), resource, view) }
}

/** The term that a token’s value belongs to. */
function termAt(all: readonly Token[], at: number, resource: Resource): Term | undefined {
  if (!['value', 'operator', 'comma'].includes(defined(all[at]).kind)) return undefined
  const key = all.slice(0, at).findLast(({ kind }) => kind === 'key')
  return key && termsOf(resource).find(key.text)
}

function wordsFor(typed: string, resource: Resource, view: View): Completion[] {
  const { all, words } = termsOf(resource)
  const terms = all.flatMap((term): Completion[] => {
    if (!isSupported(term.definition, view)) return []
    const name = shortest(term.names.filter((candidate) => begins(candidate, typed)))
    if (name === undefined) return []
    const completed = { text: name + (term.comparison.ordered ? '>' : ':'), kind: 'term', field: term.field } as const
    return term.definition.kind === 'flag' ? [{ ...completed, text: name, kind: 'word' }, completed] : [completed]
  })
  const options = words
    .filter(
      ({ word, offered, term }) =>
        offered && begins(word, typed) && term.definition.kind === 'choice' && isSupported(term.definition, view),
    )
    .map(({ word, term }): Completion => ({ text: word, kind: 'word', field: term.field }))
  return [...options, ...terms].slice(0, most)
}

function shortest(names: readonly string[]): string | undefined {
  return names.toSorted((a, b) => a.length - b.length)[0]
}

function valuesOf(
  { field, definition, comparison }: Term,
  { resource, view, token, cursor }: { resource: Resource; view: View; token: Token; cursor: number },
): Completions {
  const isValue = token.kind === 'value'
  const typed = isValue ? token.text.slice(0, token.quoted ? undefined : cursor - token.from).toLowerCase() : ''
  const rowValues = () => view.all(resource.name).map((row) => fieldValue(resource, row, field, view))
  const found = comparison.suggest(definition, view, rowValues).filter((value) => value.toLowerCase().includes(typed))
  const first = found.filter((value) => begins(value, typed))
  const items = [...first, ...found.filter((value) => !first.includes(value))].slice(0, most).map((value) => ({
    text: comparison.ordered ? value : quote(value),
    kind: 'value' as const,
    field,
  }))
  return { from: isValue ? token.from : cursor, to: isValue ? token.to : cursor, items }
}

function begins(candidate: string, typed: string): boolean {
  return candidate.toLowerCase().startsWith(typed.toLowerCase())
}

/** Completes at the end of a text, a choice after the other. */
export function createCompletion(resource: Resource, view: View) {
  let begun: { text: string; at: number } | null = null
  const found = (text: string) => completions(resource, text, text.length, view)
  return {
    choices: (text: string) => found(text).items.map((item) => item.text),
    forget() {
      begun = null
    },
    /** The text with the next choice; again, with the one after it. */
    next(text: string, by: 1 | -1): string {
      begun ??= { text, at: by > 0 ? -1 : 0 }
      const { from, to, items } = found(begun.text)
      if (items.length === 0) return text
      begun.at = (begun.at + by + items.length) % items.length
      const completed = begun.text.slice(0, from) + defined(items[begun.at]).text + begun.text.slice(to)
      // A single choice is final: the next Tab completes what follows.
      if (items.length === 1) begun = null
      return completed
    },
  }
}
