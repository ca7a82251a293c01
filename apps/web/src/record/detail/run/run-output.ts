import { plainText } from '@qd/core/fields'

/** Lines of an output with control characters escaped and the last newline dropped. */
export function outputLines(output: string): readonly string[] {
  if (output === '') return []
  return output.replace(/\r\n/g, '\n').replace(/\n$/, '').split('\n').map(plainText)
}

export const linesShown = 20
