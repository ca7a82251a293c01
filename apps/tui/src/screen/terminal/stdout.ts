import { EventEmitter } from 'node:events'
import type { PlacedRows } from './placed-rows.ts'
import type { ScreenWriter } from './screen-writer.ts'
import type { Terminal } from './terminal.ts'

/**
 * In debug mode each write of Ink is a whole frame; the writer puts what changed of it on the screen. (Ink's own two ways either
 * rewrite the whole frame or leave rows behind.)
 */
export function createInkStdout(
  terminal: Pick<Terminal, 'columns' | 'rows'>,
  { writer, placed }: { writer: Pick<ScreenWriter, 'show'>; placed: Pick<PlacedRows, 'expand'> },
) {
  let isResizing = false
  let last = ''
  const again = () => writer.show(placed.expand(last, terminal.columns))
  const stream = Object.assign(new EventEmitter(), {
    isTTY: true,
    writable: true,
    write(frame: string, done?: () => void) {
      if (frame !== '' && !isResizing) {
        last = frame
        again()
      }
      done?.()
      return true
    },
  })
  Object.defineProperties(stream, {
    columns: { get: () => terminal.columns },
    rows: { get: () => terminal.rows },
  })
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    /** Shows the last frame again, which a commit that changes nothing doesn’t write. */
    again,
    resized() {
      // Ink immediately renders its last frame again; skip it.
      isResizing = true
      stream.emit('resize')
      isResizing = false
    },
  }
}
