import { AppError } from '@qd/core/errors'

/** A parsed filter. Source: the language of jq 1.7 without definitions, assignment and modules. */
export type Filter =
  | { kind: 'identity' }
  | { kind: 'everything' }
  | { kind: 'literal'; value: unknown }
  | { kind: 'text'; parts: readonly (string | Filter)[]; format: string | null }
  | { kind: 'format'; name: string }
  | { kind: 'variable'; name: string }
  | { kind: 'at'; of: Filter; key: Filter }
  | { kind: 'slice'; of: Filter; from: Filter | null; to: Filter | null }
  | { kind: 'each'; of: Filter }
  | { kind: 'list'; of: Filter | null }
  | { kind: 'object'; entries: readonly { key: Filter; value: Filter }[] }
  | { kind: 'negative'; of: Filter }
  | { kind: 'pair'; operator: Operator; left: Filter; right: Filter }
  | { kind: 'choice'; cases: readonly { when: Filter; take: Filter }[]; otherwise: Filter }
  | { kind: 'attempt'; of: Filter; otherwise: Filter | null }
  | { kind: 'bind'; source: Filter; name: string; body: Filter }
  | { kind: 'reduce'; source: Filter; name: string; start: Filter; step: Filter }
  | { kind: 'call'; name: string; args: readonly Filter[] }

/** Operators from the weakest to the strongest; those of one line bind alike. */
export const operatorRanks = [
  ['|'],
  [','],
  ['//'],
  ['or'],
  ['and'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
] as const
export type Operator = (typeof operatorRanks)[number][number]

/** One word of a filter; `parts` of a string are its texts and the filters between them. */
export interface Token {
  kind: 'sign' | 'word' | 'field' | 'variable' | 'format' | 'number' | 'text' | 'end'
  text: string
  parts?: readonly (string | readonly Token[])[]
}

const patterns: readonly (readonly [Token['kind'] | 'blank', RegExp])[] = [
  ['blank', /(?:\s|#[^\n]*)+/y],
  ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?/y],
  ['field', /\.[A-Za-z_]\w*/y],
  ['variable', /\$[A-Za-z_]\w*/y],
  ['format', /@\w+/y],
  ['word', /[A-Za-z_]\w*/y],
  ['sign', /\.\.|\/\/|==|!=|<=|>=|[.[\]{}()|,:;?+\-*/%<>]/y],
]

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

/** The refusal of a filter at the place that cannot be read. */
export function unreadable(text: string, at: number): AppError {
  return new AppError('usage', { reason: 'badFilter', text, part: text.slice(at, at + 20) })
}

/** The words of a filter. Errors: `usage` with what cannot be read. */
export function tokensOf(text: string): Token[] {
  const { tokens, at } = readTokens(text, 0, null)
  return at < text.length ? fail(text, at) : tokens
}

function fail(text: string, at: number): never {
  throw unreadable(text, at)
}

/** Words up to the end, or up to the bracket that closes what a string opened. */
function readTokens(text: string, from: number, until: ')' | null): { tokens: Token[]; at: number } {
  const tokens: Token[] = []
  let at = from
  let open = 0
  while (at < text.length) {
    if (until !== null && open === 0 && text[at] === until) break
    if (text[at] === '"') {
      const { token, at: next } = readText(text, at + 1)
      tokens.push(token)
      at = next
      continue
    }
    const found = patterns
      .map(([kind, pattern]) => [kind, matchAt(pattern, text, at)] as const)
      .find(([, word]) => word)
    if (!found) fail(text, at)
    const [kind, word] = found as readonly [Token['kind'] | 'blank', string]
    if (word === '(') open += 1
    if (word === ')') open -= 1
    if (kind !== 'blank') tokens.push({ kind, text: word })
    at += word.length
  }
  return { tokens: [...tokens, { kind: 'end', text: '' }], at }
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** A string from behind its opening quote: texts, and between them filters in `\(…)`. */
function readText(text: string, from: number): { token: Token; at: number } {
  const parts: (string | Token[])[] = []
  let plain = ''
  for (let at = from; at < text.length; ) {
    const character = text[at]!
    if (character === '"') return { token: { kind: 'text', text: plain, parts: [...parts, plain] }, at: at + 1 }
    if (character !== '\\') {
      plain += character
      at += 1
      continue
    }
    const escaped = text[at + 1] ?? ''
    if (escaped === '(') {
      const inner = readTokens(text, at + 2, ')')
      if (text[inner.at] !== ')') fail(text, at)
      parts.push(plain, inner.tokens)
      plain = ''
      at = inner.at + 1
    } else if (escaped === 'u') {
      plain += String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16))
      at += 6
    } else {
      plain += escapes[escaped] ?? escaped
      at += 2
    }
  }
  return fail(text, from - 1)
}
