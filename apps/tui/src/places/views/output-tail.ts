import { plainText } from '@qd/core/fields'

const tailLength = 64 * 1024

/** Raw lines; control characters are removed when shown (behaviour T-17). */
export function outputLines(output: string): string[] {
  const text = output.slice(0, endOf(output)).replaceAll('\t', '    ')
  return text === '' ? [] : text.split(/\r\n?|\n/)
}

/** The first may be cut. */
export function lastLines(output: string, count: number): string[] {
  const end = endOf(output)
  return outputLines(output.slice(Math.max(0, end - tailLength), end))
    .slice(-count)
    .map(plainText)
}

function endOf(text: string): number {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1
  return end
}
