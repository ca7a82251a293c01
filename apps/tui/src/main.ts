import { createIo } from './io.ts'
import { loadCompiled } from './load-compiled.ts'
import { version } from './version.ts'

const io = createIo()

/** The program as modules, which the terminal UI shares with it. */
async function runModules(): Promise<number> {
  const { runProgram } = await import('./program.ts')
  return runProgram(io, async (cli) => {
    await cli.texts()
    const { startTerminalUi } = await import('./app/start.tsx')
    return startTerminalUi({ cli })
  })
}

if (io.args.length === 1 && (io.args[0] === '--version' || io.args[0] === '-V')) io.stdout.write(`${version}\n`)
else if (io.args.length === 0) io.exit(await runModules())
else io.exit(await loadCompiled().runProgram(io, runModules))
