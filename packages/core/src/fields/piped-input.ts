/*
 * A command that reads what was piped into `qd` travels as one line for a shell, with the text as a here document. The name of a run says
 * what was typed; whoever is asked whether it may run, and the page of the run, see the whole.
 */

/** The first word of the line that ends the text; underscores follow where the text has such a line itself. */
const endWord = 'QD_STDIN'
const wrapped = /^\{ ([\s\S]*?)\n\} <<'(QD_STDIN_*)'\n/

/** The command with the text as its input. */
export function commandWithInput(command: string, text: string): string {
  const lines = new Set(text.split('\n'))
  let end = endWord
  while (lines.has(end)) end += '_'
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `{ ${command}\n} <<'${end}'\n${body}${end}`
}

/** The command as it was typed, where the rest is the text that goes along as its input, and nothing is run behind it; else null. */
export function typedCommand(whole: string): string | null {
  const [head, command = '', end] = wrapped.exec(whole) ?? []
  if (head === undefined || end === undefined) return null
  const lines = whole.slice(head.length).split('\n')
  return lines.indexOf(end) === lines.length - 1 ? command : null
}
