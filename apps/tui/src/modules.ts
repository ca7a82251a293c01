import type { Cli } from './commands/cli.ts'
import type { Io } from './io.ts'
import { runProgram } from './program.ts'

/** The program as modules, which the terminal UI and what watches lists share with it. */
export async function runModules(io: Io): Promise<number> {
  const openUi = async (cli: Cli) => {
    await cli.texts()
    const { startTerminalUi } = await import('./app/start.tsx')
    return startTerminalUi({ cli })
  }
  return runProgram(io, openUi, async (cli, watched, { onStop }) => {
    const { watchList } = await import('./watch/watch-list.ts')
    return watchList(cli, watched, onStop)
  })
}
