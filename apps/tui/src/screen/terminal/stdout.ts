import { EventEmitter } from 'node:events'
import type { PlacedRows } from './placed-rows.ts'
import type { ScreenWriter } from './screen-writer.ts'
import type { Terminal } from './terminal.ts'

/**
 * In debug mode Ink writes after each commit; the writer puts what changed of the rows on the screen. (Ink's own two ways either rewrite the
 * whole frame or leave rows behind.)
 */
export function createInkStdout(
  terminal: Pick<Terminal, 'columns'>,
  { writer, placed }: { writer: Pick<ScreenWriter, 'show'>; placed: Pick<PlacedRows, 'frame'> },
) {
  let isDue = false
  /** Shows the rows as they are now. */
  const show = () => {
    isDue = false
    const frame = placed.frame(terminal.columns)
    if (frame.length > 0) writer.show(frame)
  }
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    // Boxes need no more, and Ink makes an object of each cell.
    columns: 1,
    write(_frame: string, done?: () => void) {
      // Rows are put in their boxes at the end of the commit.
      if (!isDue) queueMicrotask(() => isDue && show())
      isDue = true
      done?.()
      return true
    },
  })
  return { stream: stream as unknown as NodeJS.WriteStream, show }
}
