/** A pattern, and what is expected after it. */
type Step = readonly [RegExp, Wanted | 'after' | 'closed']
type Wanted = 'value' | 'firstItem' | 'firstKey' | 'key' | 'restOfKey' | 'rest' | 'colon'

const steps: Record<Wanted, readonly Step[]> = {
  value: [
    [/\{/y, 'firstKey'],
    [/\[/y, 'firstItem'],
    [/-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null/y, 'after'],
    [/"/y, 'rest'],
  ],
  firstItem: [[/\]/y, 'closed']],
  firstKey: [
    [/\}/y, 'closed'],
    [/"/y, 'restOfKey'],
  ],
  key: [[/"/y, 'restOfKey']],
  restOfKey: [[/"/y, 'colon']],
  rest: [[/"/y, 'after']],
  colon: [[/:/y, 'value']],
}

const blank = /[ \t\r\n]*/y
const inString = /(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/uy

/** The position of the first character that makes a text invalid JSON (its length if it ends too early); null for JSON. */
export function jsonFaultAt(text: string): number | null {
  const open: ('{' | '[')[] = []
  let wants: Wanted | 'after' | 'closed' = 'value'
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const isFound = pattern.test(text)
    if (isFound) at = pattern.lastIndex
    return isFound
  }
  for (;;) {
    take(wants === 'rest' || wants === 'restOfKey' ? inString : blank)
    if (wants === 'closed') {
      open.pop()
      wants = 'after'
    }
    if (wants === 'after') {
      const around = open.at(-1)
      if (around === undefined) return at === text.length ? null : at
      if (take(/,/y)) wants = around === '{' ? 'key' : 'value'
      else if (take(around === '{' ? /\}/y : /\]/y)) wants = 'closed'
      else return at
      continue
    }
    const choices: readonly Step[] = wants === 'firstItem' ? [...steps.firstItem, ...steps.value] : steps[wants]
    const step = choices.find(([pattern]) => take(pattern))
    if (!step) return at
    wants = step[1]
    if (wants === 'firstKey') open.push('{')
    if (wants === 'firstItem') open.push('[')
  }
}
