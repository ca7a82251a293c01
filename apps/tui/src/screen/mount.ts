import chalk from 'chalk'
import { render } from 'ink'
import { createElement, type ReactElement } from 'react'
import { PlacedRowsContext } from './hooks.ts'
import { createPlacedRows } from './terminal/placed-rows.ts'
import type { ScreenWriter } from './terminal/screen-writer.ts'
import { createInkStdout } from './terminal/stdout.ts'
import type { Terminal } from './terminal/terminal.ts'
import type { Colouring } from './terminal/theme.ts'

interface Screen {
  terminal: Pick<Terminal, 'columns' | 'rows' | 'inkStdin'>
  writer: ScreenWriter
  colorDepth: Colouring['colorDepth']
  ascii: boolean
  onCrash(error: unknown): void
}

const chalkLevels = { 0: 0, 4: 1, 8: 2, 24: 3 } as const

/** Ink must not detect keys or colors itself. */
export function mount(content: ReactElement, { terminal, writer, colorDepth, ascii, onCrash }: Screen) {
  chalk.level = chalkLevels[colorDepth]
  const placed = createPlacedRows()
  const app = createElement(PlacedRowsContext, { value: placed }, content)
  const stdout = createInkStdout(terminal, { writer, placed, ascii })
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
      stdout.resized()
      commit()
      stdout.again()
    },
    stop: () => ink.unmount(),
  }
}
