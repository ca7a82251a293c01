import { EventEmitter } from 'node:events'
import type { ScreenWriter } from './screen-writer.ts'
import type { Terminal } from './terminal.ts'

/** Ink measures characters its own way; with this much room it never cuts a line that we have fitted. */
const spareColumns = 20

/**
 * The stdout that Ink is given in debug mode, where each write is a whole frame: frames go to the writer, which diffs them.
 * (Ink's own two ways either rewrite the whole frame or leave rows behind; design/dependencies.md T3.)
 */
export function createInkStdout(
  terminal: Pick<Terminal, 'columns' | 'rows'>,
  writer: ScreenWriter,
): NodeJS.WriteStream {
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    write(frame: string, done?: () => void) {
      if (frame !== '') writer.show(frame)
      done?.()
      return true
    },
  })
  Object.defineProperties(stdout, {
    columns: { get: () => terminal.columns + spareColumns },
    rows: { get: () => terminal.rows },
  })
  return stdout as unknown as NodeJS.WriteStream
}
