import { defined } from '../errors.ts'
/** Spaces lie between tokens. */
export type TokenKind = 'key' | 'operator' | 'value' | 'comma' | 'negation' | 'word' | 'and' | 'or' | 'open' | 'close'

/** `text.slice(from, to)` is the token as typed. */
export interface Token {
  readonly kind: TokenKind
  readonly from: number
  readonly to: number
  /** Without quotes and escapes. */
  readonly text: string
  /** Quoted, so it has no special meaning. */
  readonly quoted: boolean
  /** A quote that was never closed. */
  readonly open: boolean
}

const keyed = /([A-Za-z][\w-]*)(\s*(?:!=|<=|>=|[<>=])\s*|:(?!:|\/\/))/y
const space = /\s*/y
const bareWord = /[^\s()"]+/y
const bareValue = /[^\s(),"]+/y
const comma = /,\s*/y

/** Never fails. Grammar: docs/reference/query-language.md. */
export function tokens(text: string): Token[] {
  const found: Token[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const add = (kind: TokenKind, to: number, more: Partial<Token> = {}) => {
    found.push({ kind, from: at, to, text: text.slice(at, to), quoted: false, open: false, ...more })
    at = to
  }
  const addQuoted = (kind: TokenKind) => {
    const { to, content, open } = readQuoted(text, at)
    add(kind, to, { text: content, quoted: true, open })
  }
  const addValues = () => {
    for (;;) {
      const bare = take(bareValue)
      if (text[at] === '"') addQuoted('value')
      else if (bare) add('value', at + bare[0].length)
      const separator = take(comma)
      if (!separator) return
      add('comma', at + 1)
      at += separator[0].length - 1
    }
  }
  for (;;) {
    at += take(space)?.[0].length ?? 0
    const character = text[at]
    if (character === undefined) return found
    const pair = take(keyed)
    if (character === '!') add('negation', at + 1)
    else if (character === '(') add('open', at + 1)
    else if (character === ')') add('close', at + 1)
    else if (character === '"') addQuoted('word')
    else if (pair && !isAddress(pair)) {
      add('key', at + defined(pair[1]).length)
      const sign = defined(pair[2]).trim()
      const end = at + defined(pair[2]).length
      at += defined(pair[2]).indexOf(sign)
      add('operator', at + sign.length)
      at = end
      addValues()
    } else {
      const word = defined(take(bareWord))[0]
      add(wordKind(word), at + word.length)
    }
  }
}

/** Quotes a value if needed, so that it means exactly itself. */
export function quote(text: string): string {
  const plain = /^[^\s(),"*!#][^\s(),"*]*$/.test(text) && !/^(and|or|none|never|\d+)$/i.test(text)
  return plain ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** `fe80:1` is the beginning of an address, not a term. */
function isAddress([, key, operator]: RegExpExecArray): boolean {
  return operator === ':' && /^(?=.*\d)[0-9a-f]{1,4}$/i.test(defined(key))
}

function wordKind(word: string): 'and' | 'or' | 'word' {
  const lower = word.toLowerCase()
  return lower === 'and' || lower === 'or' ? lower : 'word'
}

function readQuoted(text: string, from: number): { to: number; content: string; open: boolean } {
  let content = ''
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at]
    if (character === '"') return { to: at + 1, content, open: false }
    if (character === '\\' && at + 1 < text.length) content += text[++at]
    else content += character
  }
  return { to: text.length, content, open: true }
}
