/* A command whose input was piped into `qd` is one shell command with a here document. A run is named by the typed part; confirmations and the run’s page show the whole. */

/** Ends the here document; underscores follow if the text contains this line. */
const endWord = 'QD_STDIN'
const wrapped = /^\{ ([\s\S]*?)\n\} <<'(QD_STDIN_*)'\n/

export function commandWithInput(command: string, text: string): string {
  const lines = new Set(text.split('\n'))
  let end = endWord
  while (lines.has(end)) end += '_'
  const body = text === '' || text.endsWith('\n') ? text : `${text}\n`
  return `{ ${command}\n} <<'${end}'\n${body}${end}`
}

/** The typed part of a command with input, if nothing else follows the input; else null. */
export function typedCommand(whole: string): string | null {
  const [head, command = '', end] = wrapped.exec(whole) ?? []
  if (head === undefined || end === undefined) return null
  const lines = whole.slice(head.length).split('\n')
  return lines.indexOf(end) === lines.length - 1 ? command : null
}
