import type { Cli } from '../cli/commands/cli.ts'

/** What the terminal UI is started with: the streams, texts, formats, files, settings and the connection of this run. */
export interface TerminalUiOptions {
  cli: Cli
}

/** Shows the terminal UI until the person leaves it; returns the exit code. `app/start.tsx` exports one as `startTerminalUi`. */
export type StartTerminalUi = (options: TerminalUiOptions) => Promise<number>
