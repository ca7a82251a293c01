import { EventEmitter } from 'node:events'
import type { RowReferences } from './row-references.ts'
import type { ScreenWriter } from './screen-writer.ts'
import type { Terminal } from './terminal.ts'

/** Cells that Ink lays out: a reference takes two. */
const referenceCells = 2

/**
 * The stdout that Ink is given in debug mode, where each write is a whole frame: its references become rows, and the writer
 * puts what changed on the screen. (Ink's own two ways either rewrite the whole frame or leave rows behind.)
 */
export function createInkStdout(
  terminal: Pick<Terminal, 'rows'>,
  { writer, references }: { writer: ScreenWriter; references: Pick<RowReferences, 'resolve'> },
): NodeJS.WriteStream {
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    write(frame: string, done?: () => void) {
      if (frame !== '') writer.show(references.resolve(frame))
      done?.()
      return true
    },
  })
  Object.defineProperties(stdout, {
    columns: { value: referenceCells },
    rows: { get: () => terminal.rows },
  })
  return stdout as unknown as NodeJS.WriteStream
}
