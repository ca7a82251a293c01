/** A call of `qd` in an example: its words, what stands before them, and where its input comes from and its output goes. */
export interface ExampleCommand {
  readonly words: readonly string[]
  /** `QD_TOKEN=$(cat ci.token)` before the words. */
  readonly env: Readonly<Record<string, string>>
  readonly input: string | null
  readonly output: string | null
}

/** What a line of an example calls, and the exit codes that its comment names. Pipes end a call; what other programs do isn't tried. */
export function readExample(line: string): { commands: readonly ExampleCommand[]; codes: readonly number[] } {
  const parts = partsOf(line)
  const commands = parts.commands.flatMap((words) => toCommand(words) ?? [])
  const namesCodes = /echo \$\?|exit code/.test(line) || /^\s*\d /.test(parts.comment)
  const codes = namesCodes ? [...parts.comment.matchAll(/(?<![\w.])\d(?= |:|$)/g)].map(([code]) => Number(code)) : []
  // A sentence about exit codes names those of what went wrong.
  return { commands, codes: /exit code/.test(line) ? [0, ...codes] : codes }
}

/** The words between `;`, `&&` and `|`, as a shell takes them, and the comment. */
function partsOf(line: string): { commands: readonly (readonly string[])[]; comment: string } {
  const commands: string[][] = [[]]
  let word: string | null = null
  let quote = ''
  let depth = 0
  const end = () => {
    if (word !== null) commands.at(-1)!.push(word)
    word = null
  }
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at]!
    if (quote !== '') {
      if (letter === quote) quote = ''
      else word += letter
    } else if (depth > 0 || (letter === '$' && line[at + 1] === '(')) {
      word = (word ?? '') + letter
      if (letter === '(') depth += 1
      if (letter === ')') depth -= 1
      else if (letter === '$' && depth === 0) {
        word += '('
        depth = 1
        at += 1
      }
    } else if (letter === "'" || letter === '"') {
      quote = letter
      word ??= ''
    } else if (letter === '#' && word === null) {
      return { commands, comment: line.slice(at + 1) }
    } else if (letter === ' ') end()
    else if (letter === ';' || letter === '|') {
      end()
      commands.push(letter === '|' ? ['|'] : [])
    } else word = (word ?? '') + letter
  }
  end()
  return { commands, comment: '' }
}

function toCommand(words: readonly string[]): ExampleCommand | null {
  const at = words.indexOf('qd')
  const before = words.slice(0, Math.max(0, at))
  if (at < 0 || !before.every((word) => /^[A-Z_]+=|^npx$/.test(word))) return null
  const own: string[] = []
  let input: string | null = null
  let output: string | null = null
  const rest = words.slice(at + 1)
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index]!
    if (word === '<') input = rest[++index]!
    else if (word === '>' || word === '>>') output = rest[++index]!
    else own.push(word)
  }
  const env = Object.fromEntries(
    before.flatMap((word) => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(word) ?? []
      return name === undefined ? [] : [[name, value!]]
    }),
  )
  return { words: own, env, input, output }
}
