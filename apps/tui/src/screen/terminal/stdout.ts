import { EventEmitter } from 'node:events'
import { asciiText } from './ascii.ts'
import { memoize } from './memoize.ts'
import type { PlacedRows } from './placed-rows.ts'
import type { ScreenWriter } from './screen-writer.ts'
import type { Terminal } from './terminal.ts'

const maxRows = 400

/**
 * In debug mode each write of Ink is a whole frame; the writer puts what changed of it on the screen. (Ink's own two ways either
 * rewrite the whole frame or leave rows behind.) With `ascii` every row is written in ASCII, in the same cells.
 */
export function createInkStdout(
  terminal: Pick<Terminal, 'columns' | 'rows'>,
  { writer, placed, ascii }: { writer: Pick<ScreenWriter, 'show'>; placed: Pick<PlacedRows, 'expand'>; ascii: boolean },
) {
  const asciiRow = memoize(maxRows, (row) =>
    row
      .split(/(\u001b\[[\d;]*m)/)
      .map((piece, index) => (index % 2 === 1 ? piece : asciiText(piece)))
      .join(''),
  )
  let isResizing = false
  let last = ''
  const again = () => {
    const whole = placed.expand(last)
    writer.show(ascii ? whole.split('\n').map(asciiRow).join('\n') : whole)
  }
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
