import { plainText } from '@qd/core/fields'

/** The end of an output that is looked at for its last lines. */
const tailLength = 64 * 1024

/** Lines of an output as they came; what a terminal would obey is taken from those that are shown (behaviour T-17). */
export function outputLines(output: string): string[] {
  const text = output.slice(0, endOf(output)).replaceAll('\t', '    ')
  return text === '' ? [] : text.split(/\r\n?|\n/)
}

/** The last lines of an output, however long it is: a line that begins before what is looked at lacks its beginning. */
export function lastLines(output: string, count: number): string[] {
  const end = endOf(output)
  return outputLines(output.slice(Math.max(0, end - tailLength), end))
    .slice(-count)
    .map(plainText)
}

/** Where the line ends at the end of a text begin. */
function endOf(text: string): number {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1
  return end
}
