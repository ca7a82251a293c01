/** One command of a story and what must come of it. */
export interface Step {
  /** Line in the file, from 1. */
  line: number
  command: string
  stdout: readonly string[]
  stderr: readonly string[]
  code: number
}

/** A story: what is there before it begins, its files and its commands. Format: README.md beside this file. */
export interface Story {
  title: string
  /** Names of servers with a real agent. */
  agents: readonly string[]
  /** Names of servers with a supervised agent of an earlier version, which keeps its configuration. */
  outdated: readonly string[]
  /** Names of servers that were here once and are offline. */
  offline: readonly string[]
  /** Names of web servers that messages can be sent to. */
  receivers: readonly string[]
  /** The time zone of the server's host; null: this machine's. */
  zone: string | null
  files: Readonly<Record<string, string>>
  steps: readonly Step[]
}

/** Reads a story. Throws on a line it cannot place. */
export function parseStory(text: string): Story {
  const [script = '', ...parts] = text.split(/^-- (.+) --$/m)
  const files: Record<string, string> = {}
  for (let index = 0; index < parts.length; index += 2) files[parts[index]!] = parts[index + 1]!.replace(/^\n/, '')
  const story = {
    title: '',
    agents: [] as string[],
    outdated: [] as string[],
    offline: [] as string[],
    receivers: [] as string[],
    zone: null as string | null,
    files,
    steps: [] as Step[],
  }
  let step: { line: number; command: string; stdout: string[]; stderr: string[]; code: number } | null = null
  for (const [index, line] of script.split('\n').entries()) {
    const heading = /^(story|agents|outdated|offline|receivers|zone): (.*)$/.exec(line)
    if (!step && heading) {
      if (heading[1] === 'story') story.title = heading[2]!
      else if (heading[1] === 'zone') story.zone = heading[2]!
      else story[heading[1] as 'agents' | 'outdated' | 'offline' | 'receivers'] = heading[2]!.split(' ')
    } else if (line.startsWith('$ ')) {
      step = { line: index + 1, command: line.slice(2), stdout: [], stderr: [], code: 0 }
      story.steps.push(step)
    } else if (line === '' || line.startsWith('# ')) {
    } else if (!step) {
      throw new Error(`line ${index + 1} stands before the first command: ${line}`)
    } else if (line.startsWith('> ')) {
      step.command += `\n${line.slice(2)}`
    } else if (line.startsWith('? ')) {
      step.code = Number(line.slice(2))
    } else if (line === '!' || line.startsWith('! ')) {
      step.stderr.push(line.slice(2))
    } else {
      step.stdout.push(line.startsWith('| ') ? line.slice(2) : line)
    }
  }
  return story
}

/** What is wrong with some output, or null. A line `…` stands for any lines, `{{…}}` in a line is a regular expression. */
export function mismatch(expected: readonly string[], actual: string): string | null {
  const lines = actual === '' ? [] : actual.replace(/\n$/, '').split('\n')
  return fits(expected, lines) ? null : `expected\n${indented(expected)}\nfound\n${indented(lines)}`
}

function fits(expected: readonly string[], lines: readonly string[]): boolean {
  const [first, ...rest] = expected
  if (first === undefined) return lines.length === 0
  if (first === '…') return lines.some((_, index) => fits(rest, lines.slice(index))) || fits(rest, [])
  return lines[0] !== undefined && patternOf(first).test(lines[0]) && fits(rest, lines.slice(1))
}

function patternOf(line: string): RegExp {
  const parts = line.split(/\{\{(.+?)\}\}/)
  const source = parts.map((part, index) =>
    index % 2 === 1 ? `(?:${part})` : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  )
  return new RegExp(`^${source.join('')}\\s*$`)
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join('\n')
}
