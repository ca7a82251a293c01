import { type Io, withoutVariable } from '../base/io.ts'
import type { Cli } from '../cli/commands/command.ts'
import { runProgram } from './program.ts'

/** Chunks with the terminal UI and `watch`, loaded on demand. */
export async function runWithUi(io: Io): Promise<number> {
  const openUi = async (cli: Cli) => {
    // With DEV=true, Ink would load its developer tools, which aren't installed.
    const { startTerminalUi } = await withoutVariable('DEV', () => import('./app/start.tsx'))
    await cli.texts()
    return startTerminalUi({ cli })
  }
  return runProgram(io, openUi, async (cli, watched, { onStop }) => {
    const { watchList } = await import('../cli/watch/watch-list.ts')
    return watchList(cli, watched, onStop)
  })
}
