import { EventEmitter } from 'node:events'
import { asciiText } from './ascii.ts'
import type { ScreenWriter } from './screen-writer.ts'
import type { Terminal } from './terminal.ts'

/**
 * The stdout that Ink is given in debug mode, where each write is a whole frame: the writer puts what changed on the screen.
 * (Ink's own two ways either rewrite the whole frame or leave rows behind.)
 */
export function createInkStdout(
  terminal: Pick<Terminal, 'columns' | 'rows'>,
  { writer, ascii }: { writer: Pick<ScreenWriter, 'show'>; ascii: boolean },
): NodeJS.WriteStream {
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    write(frame: string, done?: () => void) {
      if (frame !== '') writer.show(ascii ? inAscii(frame) : frame)
      done?.()
      return true
    },
  })
  Object.defineProperties(stdout, {
    columns: { get: () => terminal.columns },
    rows: { get: () => terminal.rows },
  })
  return stdout as unknown as NodeJS.WriteStream
}

/** A painted frame with its texts in ASCII; colours and ends of lines stay. */
function inAscii(frame: string): string {
  return frame
    .split(/(\u001b\[[\d;]*m|\n)/)
    .map((piece, at) => (at % 2 === 0 ? asciiText(piece) : piece))
    .join('')
}
