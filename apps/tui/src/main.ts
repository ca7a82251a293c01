import type { Cli } from './commands/cli.ts'
import type { ReadYaml } from './commands/documents/apply.ts'
import { createIo } from './io.ts'
import { loadCompiled } from './load-compiled.ts'
import { version } from './version.ts'

const io = createIo()

/** The program as modules, which the terminal UI and what watches lists share with it. */
async function runModules(): Promise<number> {
  const { runProgram } = await import('./program.ts')
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

/** The tools of `qd mcp`, which the build keeps apart. */
async function runTools(): Promise<number> {
  const { runWithTools } = (await import(
    new URL('tools.js', import.meta.url).href
  )) as typeof import('./mcp-program.ts')
  return runWithTools(io)
}

/** The reader of YAML, which the build keeps apart as well. */
const readYaml: ReadYaml = async (text) => {
  const { readSource } = (await import(
    new URL('yaml.js', import.meta.url).href
  )) as typeof import('./documents/read-yaml.ts')
  return readSource(text)
}

if (io.args.length === 1 && (io.args[0] === '--version' || io.args[0] === '-V')) io.stdout.write(`${version}\n`)
else if (io.args.length === 0) io.exit(await runModules())
else
  io.exit(
    await loadCompiled().runProgram(
      io,
      runModules,
      (_cli, _watched, { takeOver }) => {
        takeOver()
        return runModules()
      },
      (_cli, { takeOver }) => {
        takeOver()
        return runTools()
      },
      readYaml,
    ),
  )
