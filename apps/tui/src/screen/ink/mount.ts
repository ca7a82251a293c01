import chalk from 'chalk'
import { render } from 'ink'
import type { ReactElement } from 'react'
import type { ScreenWriter } from '../terminal/screen-writer.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Colouring } from '../terminal/theme.ts'
import { createInkStdout } from './stdout.ts'

/** An application of Ink on the taken screen. */
export interface Mounted {
  /** Draws what changed so far at once: the next key of the same chunk means what is on the screen by then. */
  commit(): void
  /** Draws everything again, in the size that the terminal has now. */
  redraw(): void
  stop(): void
}

interface Screen {
  terminal: Pick<Terminal, 'columns' | 'rows' | 'inkStdin'>
  writer: ScreenWriter
  colorDepth: Colouring['colorDepth']
  ascii: boolean
  /** An error while drawing ends Ink, not the program. */
  onCrash(error: unknown): void
}

const chalkLevels = { 0: 0, 4: 1, 8: 2, 24: 3 } as const

/** Shows an application until it is stopped. Ink guesses neither keys nor colours. */
export function mount(app: ReactElement, { terminal, writer, colorDepth, ascii, onCrash }: Screen): Mounted {
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
    commit,
    redraw() {
      writer.forget()
      stdout.resized()
      commit()
    },
    stop: () => ink.unmount(),
  }
}
