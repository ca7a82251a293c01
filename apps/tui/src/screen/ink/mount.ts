import chalk from 'chalk'
import { render } from 'ink'
import type { ReactElement } from 'react'
import type { ScreenWriter } from '../terminal/screen-writer.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Colouring } from '../terminal/theme.ts'
import { createInkStdout } from './stdout.ts'

interface Screen {
  terminal: Pick<Terminal, 'columns' | 'rows' | 'inkStdin'>
  writer: ScreenWriter
  colorDepth: Colouring['colorDepth']
  ascii: boolean
  onCrash(error: unknown): void
}

const chalkLevels = { 0: 0, 4: 1, 8: 2, 24: 3 } as const

/** Ink must not detect keys or colors itself. */
export function mount(app: ReactElement, { terminal, writer, colorDepth, ascii, onCrash }: Screen) {
  chalk.level = chalkLevels[colorDepth]
  const stdout = createInkStdout(terminal, { writer, ascii })
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
    },
    stop: () => ink.unmount(),
  }
}
