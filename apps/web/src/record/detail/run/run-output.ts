import { plainText } from '@qd/core/fields'

/** An output as lines ready to show: control characters escaped, the last newline not a line of its own. */
export function outputLines(output: string): readonly string[] {
  if (output === '') return []
  return output.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n').map(plainText)
}

/** Lines of an output that are shown at first; the rest is said and shown on demand. */
export const linesShown = 20
