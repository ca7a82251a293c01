import { EventEmitter } from 'node:events'
import { markCells, type PlacedRows } from './placed-rows.ts'
import type { ScreenWriter } from './screen-writer.ts'
import type { Terminal } from './terminal.ts'

/**
 * In debug mode each write of Ink is a whole frame; the writer puts what changed of it on the screen. (Ink's own two ways either
 * rewrite the whole frame or leave rows behind.)
 */
export function createInkStdout(
  terminal: Pick<Terminal, 'columns'>,
  { writer, placed }: { writer: Pick<ScreenWriter, 'show'>; placed: Pick<PlacedRows, 'expand'> },
) {
  let last = ''
  const again = () => writer.show(placed.expand(last, terminal.columns))
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    // As wide as what Ink places.
    columns: markCells,
    write(frame: string, done?: () => void) {
      if (frame !== '') {
        last = frame
        again()
      }
      done?.()
      return true
    },
  })
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    /** Shows the last frame again, which a commit that changes nothing doesn’t write. */
    again,
  }
}
