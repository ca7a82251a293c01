import { render } from 'ink'
import { createElement, type ReactElement } from 'react'
import { PlacedRowsContext } from './hooks.ts'
import { createPlacedRows } from './terminal/placed-rows.ts'
import type { ScreenWriter } from './terminal/screen-writer.ts'
import { createInkStdout } from './terminal/stdout.ts'
import type { Terminal } from './terminal/terminal.ts'

interface Screen {
  terminal: Pick<Terminal, 'columns' | 'inkStdin'>
  writer: Pick<ScreenWriter, 'show' | 'forget'>
  onCrash(error: unknown): void
}

/** Ink must not detect keys or colors itself. */
export function mount(content: ReactElement, { terminal, writer, onCrash }: Screen) {
  const placed = createPlacedRows()
  const app = createElement(PlacedRowsContext, { value: placed }, content)
  const stdout = createInkStdout(terminal, { writer, placed })
  const ink = render(app, {
    stdin: terminal.inkStdin,
    stdout: stdout.stream,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  ink.waitUntilExit().catch(onCrash)
  const commit = () => ink.rerender(app)
  return {
    /** Renders now: the next key of a chunk refers to the updated screen. */
    commit,
    redraw() {
      writer.forget()
      commit()
      stdout.show()
    },
    stop: () => ink.unmount(),
  }
}
