/*
 * A command that reads what was piped into `qd` travels as one line for a shell, with the text as a here document. What the agent runs is the
 * whole; what people are shown is the command that was typed.
 */

/** The first word of the line that ends the text; underscores follow where the text has such a line itself. */
const endWord = 'QD_STDIN'
const wrapped = new RegExp(`^\\{ ([\\s\\S]*?)\\n\\} <<'${endWord}_*'\\n`)

/** The command with the text as its input. */
export function commandWithInput(command: string, text: string): string {
  const lines = new Set(text.split('\n'))
  let end = endWord
  while (lines.has(end)) end += '_'
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `{ ${command}\n} <<'${end}'\n${body}${end}`
}

/** The command as it was typed, without the text that goes along as its input. */
export function typedCommand(command: string): string {
  return wrapped.exec(command)?.[1] ?? command
}
