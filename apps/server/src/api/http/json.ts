import { AppError } from '@qd/core/errors'

/** Maximum nesting; our forms need four levels. */
const maxDepth = 32

/** Keys that could reach object prototypes (S-47). */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

const refuse = (text: string) => new AppError('invalid', { text })

/** Parses the first JSON value of a body and ignores the rest (contract http-api 1.1). Refuses duplicate keys in any case, prototype keys and deep nesting. Errors: `invalid`. */
export function parseJson(text: string): unknown {
  const end = scan(text)
  try {
    return JSON.parse(text.slice(0, end))
  } catch {
    throw refuse('the body is not valid JSON')
  }
}

/** Returns the end of the first value. Checks only the structure. */
function scan(text: string): number {
  const open: { keys: Set<string> | null }[] = []
  let at = skipBlanks(text, 0)
  if (at === text.length) throw refuse('the body is empty')
  let key = false
  for (;;) {
    const char = text[at]
    if (char === undefined) throw refuse('the body is incomplete')
    if (char === '"') {
      const end = endOfText(text, at)
      if (key) checkKey(text.slice(at, end), open.at(-1)?.keys ?? new Set())
      key = false
      at = end
    } else if (char === '{' || char === '[') {
      if (open.push({ keys: char === '{' ? new Set() : null }) > maxDepth) throw refuse('the body is nested too deeply')
      key = char === '{'
      at += 1
    } else if (char === '}' || char === ']') {
      open.pop()
      at += 1
    } else if (char === ',') {
      key = open.at(-1)?.keys !== null
      at += 1
    } else if (char === ':') {
      at += 1
    } else {
      const end = endOfWord(text, at)
      if (end === at) throw refuse('the body is not valid JSON')
      at = end
    }
    if (open.length === 0) return at
    at = skipBlanks(text, at)
  }
}

function checkKey(quoted: string, seen: Set<string>): void {
  let name: string
  try {
    name = (JSON.parse(quoted) as string).toLowerCase()
  } catch {
    throw refuse('the body is not valid JSON')
  }
  if (forbidden.has(name)) throw refuse(`the key "${name}" is not allowed`)
  if (seen.has(name)) throw refuse(`the key "${name}" is duplicated`)
  seen.add(name)
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  throw refuse('the body is incomplete')
}

function endOfWord(text: string, start: number): number {
  let at = start
  while (/[-+.\w]/.test(text.charAt(at))) at += 1
  return at
}

function skipBlanks(text: string, start: number): number {
  let at = start
  while (/[ \t\r\n]/.test(text.charAt(at))) at += 1
  return at
}
