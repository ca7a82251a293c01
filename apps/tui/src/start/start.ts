import type { Io } from '../base/io.ts'
import { version } from '../base/version.ts'

export interface Parts {
  commands(): Promise<typeof import('./program.ts')>
  ui(): Promise<typeof import('./ui-program.ts')>
  tools(): Promise<typeof import('./mcp-program.ts')>
}

/** Answers `qd --version` early; false if it can’t be written, which the program then reports. */
function printVersion(io: Io): boolean {
  try {
    io.stdout.write(`${version}\n`)
    return true
  } catch {
    return false
  }
}

export async function start(io: Io, parts: Parts): Promise<void> {
  if (io.args.length === 1 && /^(--version|-V)$/.test(io.args[0] ?? '') && printVersion(io)) return
  const runUi = async () => (await parts.ui()).runWithUi(io)
  if (io.args.length === 0) return io.exit(await runUi())
  const { runProgram } = await parts.commands()
  const code = await runProgram(
    io,
    runUi,
    (_cli, _watched, { takeOver }) => {
      takeOver()
      return runUi()
    },
    async (_cli, { takeOver }) => {
      takeOver()
      return (await parts.tools()).runWithTools(io)
    },
  )
  io.exit(code)
}
