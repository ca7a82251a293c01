import { type Filter, type Operator, operatorRanks, type Token, tokensOf, unreadable } from './syntax.ts'

const identity: Filter = { kind: 'identity' }
const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }
const keywords = ['then', 'elif', 'else', 'end', 'as', 'and', 'or', 'catch']

/** Reads a filter. Errors: `usage` with the part that cannot be read. */
export function parseFilter(text: string): Filter {
  return parseTokens(tokensOf(text), text)
}

function parseTokens(tokens: readonly Token[], text: string): Filter {
  let at = 0
  const next = () => tokens[at]!
  const isSign = (sign: string) => next().kind === 'sign' && next().text === sign
  const isWord = (word: string) => next().kind === 'word' && next().text === word
  const refuse = (): never => {
    const words = tokens.slice(at).map((token) => token.text)
    throw unreadable(words.join(' ') || text, 0)
  }
  const take = (): Token => tokens[at++]!
  const takeIf = (is: boolean) => is && Boolean(take())
  const sign = (wanted: string) => void (takeIf(isSign(wanted)) || refuse())
  const word = (wanted: string) => void (takeIf(isWord(wanted)) || refuse())
  const takeOf = (kind: Token['kind']) => (next().kind === kind ? take() : refuse())

  const filter = next().kind === 'end' ? identity : pairs(0)
  if (next().kind !== 'end') refuse()
  return filter

  /** Operators of this strength and stronger. `//` and `|` group to the right, all others to the left. */
  function pairs(rank: number): Filter {
    const operators: readonly string[] | undefined = operatorRanks[rank]
    if (operators === undefined) return negative()
    let left = pairs(rank + 1)
    if (rank === 0 && takeIf(isWord('as'))) left = binding(left)
    while ((next().kind === 'sign' || next().kind === 'word') && operators.includes(next().text)) {
      const operator = take().text as Operator
      const isRight = operator === '|' || operator === '//'
      left = { kind: 'pair', operator, left, right: isRight ? pairs(rank) : pairs(rank + 1) }
    }
    return left
  }

  function binding(source: Filter): Filter {
    const name = takeOf('variable').text
    sign('|')
    return { kind: 'bind', source, name, body: pairs(0) }
  }

  function negative(): Filter {
    return takeIf(isSign('-')) ? { kind: 'negative', of: negative() } : postfix(term())
  }

  function postfix(start: Filter): Filter {
    let of = start
    for (;;) {
      if (next().kind === 'field') of = { kind: 'at', of, key: textLiteral(take().text.slice(1)) }
      else if (isSign('.') && tokens[at + 1]!.kind === 'text') {
        take()
        of = { kind: 'at', of, key: textOf(take(), null) }
      } else if (takeIf(isSign('.') && tokens[at + 1]!.text === '[')) continue
      else if (takeIf(isSign('['))) of = bracket(of)
      else if (takeIf(isSign('?'))) of = { kind: 'attempt', of, otherwise: null }
      else return of
    }
  }

  function bracket(of: Filter): Filter {
    if (takeIf(isSign(']'))) return { kind: 'each', of }
    if (takeIf(isSign(':'))) return closed({ kind: 'slice', of, from: null, to: pairs(0) })
    const key = pairs(0)
    if (!takeIf(isSign(':'))) return closed({ kind: 'at', of, key })
    return closed({ kind: 'slice', of, from: key, to: isSign(']') ? null : pairs(0) })
  }

  function closed(filter: Filter): Filter {
    sign(']')
    return filter
  }

  function term(): Filter {
    const token = take()
    switch (token.kind) {
      case 'number':
        return { kind: 'literal', value: Number(token.text) }
      case 'text':
        return textOf(token, null)
      case 'field':
        return { kind: 'at', of: identity, key: textLiteral(token.text.slice(1)) }
      case 'variable':
        return { kind: 'variable', name: token.text }
      case 'format':
        return next().kind === 'text' ? textOf(take(), token.text) : { kind: 'format', name: token.text }
      case 'word':
        return wordTerm(token.text)
      case 'sign':
        return signTerm(token.text)
      default:
        at -= 1
        return refuse()
    }
  }

  function signTerm(text: string): Filter {
    if (text === '.' && next().kind === 'text') return { kind: 'at', of: identity, key: textOf(take(), null) }
    if (text === '.') return identity
    if (text === '..') return { kind: 'everything' }
    if (text === '[') {
      if (takeIf(isSign(']'))) return { kind: 'list', of: null }
      return closed({ kind: 'list', of: pairs(0) })
    }
    if (text === '(') {
      const inner = pairs(0)
      sign(')')
      return inner
    }
    if (text === '{') return object()
    at -= 1
    return refuse()
  }

  function wordTerm(name: string): Filter {
    if (name in literals) return { kind: 'literal', value: literals[name] }
    if (name === 'if') return choice()
    if (name === 'try') {
      const of = postfix(term())
      return { kind: 'attempt', of, otherwise: takeIf(isWord('catch')) ? postfix(term()) : null }
    }
    if (name === 'reduce') return reduction()
    if (keywords.includes(name)) {
      at -= 1
      return refuse()
    }
    const args: Filter[] = []
    if (takeIf(isSign('('))) {
      do args.push(pairs(0))
      while (takeIf(isSign(';')))
      sign(')')
    }
    return { kind: 'call', name, args }
  }

  function choice(): Filter {
    const cases: { when: Filter; take: Filter }[] = []
    do {
      const when = pairs(0)
      word('then')
      cases.push({ when, take: pairs(0) })
    } while (takeIf(isWord('elif')))
    const otherwise = takeIf(isWord('else')) ? pairs(0) : identity
    word('end')
    return { kind: 'choice', cases, otherwise }
  }

  function reduction(): Filter {
    const source = postfix(term())
    word('as')
    const name = takeOf('variable').text
    sign('(')
    const start = pairs(0)
    sign(';')
    const step = pairs(0)
    sign(')')
    return { kind: 'reduce', source, name, start, step }
  }

  function object(): Filter {
    const entries: { key: Filter; value: Filter }[] = []
    while (!takeIf(isSign('}'))) {
      if (entries.length > 0) sign(',')
      entries.push(entry())
    }
    return { kind: 'object', entries }
  }

  /** `name`, `"name"`, `$name` or `(filter)`, and a value; a bare name stands for the value of that name. */
  function entry(): { key: Filter; value: Filter } {
    const token = take()
    if (token.kind === 'variable')
      return { key: textLiteral(token.text.slice(1)), value: { kind: 'variable', name: token.text } }
    const key = keyOf(token)
    if (takeIf(isSign(':'))) return { key, value: alternatives() }
    return { key, value: { kind: 'at', of: identity, key } }
  }

  function keyOf(token: Token): Filter {
    if (token.kind === 'word') return textLiteral(token.text)
    if (token.kind === 'text') return textOf(token, null)
    if (token.kind === 'sign' && token.text === '(') {
      const key = pairs(0)
      sign(')')
      return key
    }
    at -= 1
    return refuse()
  }

  /** A value of an object ends at a comma, so it is read from the operators stronger than that. */
  function alternatives(): Filter {
    const value = pairs(2)
    return isSign('|') && takeIf(true) ? { kind: 'pair', operator: '|', left: value, right: alternatives() } : value
  }

  function textOf({ parts = [] }: Token, format: string | null): Filter {
    const read = parts.map((part) => (typeof part === 'string' ? part : parseTokens(part, text)))
    return { kind: 'text', parts: read, format }
  }
}

function textLiteral(value: string): Filter {
  return { kind: 'literal', value }
}
