import { PassThrough } from 'node:stream'
import { render } from 'ink'
import type { ReactNode } from 'react'
import {
  AreaContext,
  FramesContext,
  PlacedRowsContext,
  ScreenStyleContext,
  UiContext,
} from '../../../apps/tui/src/screen/hooks.ts'
import { createFrames } from '../../../apps/tui/src/screen/state/frames.ts'
import type { Ui } from '../../../apps/tui/src/screen/state/ui.ts'
import { createKeyDecoder, type KeyEvent } from '../../../apps/tui/src/screen/terminal/keys.ts'
import { createPlacedRows } from '../../../apps/tui/src/screen/terminal/placed-rows.ts'
import { plainStyle, type Run, type ScreenStyle } from '../../../apps/tui/src/screen/terminal/screen-style.ts'
import { createInkStdout } from '../../../apps/tui/src/screen/terminal/stdout.ts'
import { eventsOf } from './keys.ts'

/** Components on a terminal that is not there. */
export interface Rendered {
  /** The rows of the present frame as a person reads them. */
  lines(): readonly string[]
  /** Bytes as a terminal sends them; every key is drawn before the next one is taken. */
  type(bytes: string): void
  /** Draws what has changed since, or something else in its place. */
  draw(node?: ReactNode): void
  close(): void
}

interface RenderOptions {
  readonly columns?: number
  readonly rows?: number
  readonly style?: ScreenStyle
  /** Of which the components below use only what a test gives. */
  readonly ui?: Ui
  onKey?(event: KeyEvent): void
}

/** Draws components with Ink at that size, which is their area too. Keys go through the real decoder to `onKey`. */
export function renderAt(
  node: ReactNode,
  { columns = 80, rows = 24, style = plainStyle, ui, onKey = () => undefined }: RenderOptions = {},
): Rendered {
  let frame: readonly string[] = []
  let shown = node
  const placed = createPlacedRows()
  const writer = {
    show(rows: readonly (readonly Run[])[]) {
      frame = rows.map((runs) =>
        runs
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      )
    },
  }
  const { stream, show } = createInkStdout({ columns }, { writer, placed })
  const frames = createFrames(
    {
      now: Date.now,
      setTimer(run, ms) {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
    },
    { spinning: () => false, keysWait: () => false },
  )
  const tree = () => (
    <FramesContext value={frames}>
      <PlacedRowsContext value={placed}>
        <UiContext value={ui ?? null}>
          <ScreenStyleContext value={style}>
            <AreaContext value={{ columns, rows }}>{shown}</AreaContext>
          </ScreenStyleContext>
        </UiContext>
      </PlacedRowsContext>
    </FramesContext>
  )
  const stdin = new PassThrough() as unknown as NodeJS.ReadStream
  const ink = render(tree(), { stdin, stdout: stream, debug: true, exitOnCtrlC: false, patchConsole: false })
  const decoder = createKeyDecoder()
  return {
    lines() {
      show()
      return frame
    },
    type(bytes) {
      for (const event of eventsOf(decoder, bytes)) {
        onKey(event)
        frames.flush()
        ink.rerender(tree())
      }
    },
    draw(next = shown) {
      shown = next
      frames.beat()
      frames.flush()
      ink.rerender(tree())
    },
    close() {
      frames.stop()
      ink.unmount()
      ink.cleanup()
    },
  }
}
