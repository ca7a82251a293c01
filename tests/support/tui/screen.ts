import { server } from '@qd/core/resources'
import { createElement } from 'react'
import type { Cli } from '../../../apps/tui/src/cli/commands/command.ts'
import { createUi } from '../../../apps/tui/src/screen/state/ui.ts'
import { createWorkspace } from '../../../apps/tui/src/screen/state/workspace.ts'
import { plainStyle } from '../../../apps/tui/src/screen/terminal/screen-style.ts'
import type { Terminal } from '../../../apps/tui/src/screen/terminal/terminal.ts'
import { Frame } from '../../../apps/tui/src/start/app/Frame.tsx'
import { createKeyboard } from '../../../apps/tui/src/start/app/keyboard.ts'
import { createPlaces } from '../../../apps/tui/src/start/app/places.ts'
import { renderAt } from './render.tsx'

/** The terminal UI in this process, without a terminal: keys go in, the text of its screen comes out. */
export interface TestScreen {
  press(...chords: readonly string[]): void
  type(text: string): void
  /** The screen as a person reads it now. */
  text(): string
  /** Goes to a place by its `:` word. */
  go(word: string): void
  close(): Promise<void>
}

/** Keys come one by one here: none waits. */
const noHold = { isGivenUp: false, release: () => undefined }

/** Starts one over the connection of a run of `qd`. */
export async function startTestScreen(
  cli: Cli,
  { columns, rows }: { columns: number; rows: number },
): Promise<TestScreen> {
  const { io } = cli
  await cli.texts()
  const settings = await cli.settings()
  const workspace = createWorkspace({
    io,
    settings,
    translator: cli.translator,
    format: cli.format,
    readOnly: false,
    onChange: () => queueMicrotask(() => keyboard.settle()),
  })
  const ui = createUi({
    io,
    // What is drawn needs its size; nothing is written to it.
    terminal: { columns, rows, write: () => undefined, hold: () => noHold } as unknown as Terminal,
    style: plainStyle,
    workspace,
    makeWorkspace: () => workspace,
    places: createPlaces,
    onQuit: () => undefined,
  })
  const keyboard = createKeyboard(ui)
  const press = (...chords: readonly string[]) => {
    for (const chord of chords) {
      keyboard.press({ type: 'key', chord })
      keyboard.rest()
    }
  }
  const type = (text: string) => press(...[...text].map((sign) => (sign === ' ' ? 'Space' : sign)))
  ui.places.goTo(server)
  workspace.start()
  const shown = renderAt(createElement(Frame), { columns, rows, ui })
  return {
    press,
    type,
    text() {
      shown.draw()
      return shown.lines().join('\n')
    },
    go(word) {
      press(':')
      type(word)
      press('Enter')
    },
    close() {
      shown.close()
      return workspace.close()
    },
  }
}
