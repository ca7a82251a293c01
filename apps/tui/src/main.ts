import { createIo } from './io.ts'
import { version } from './version.ts'

const io = createIo()

if (io.args.length === 1 && (io.args[0] === '--version' || io.args[0] === '-V')) {
  io.stdout.write(`${version}\n`)
} else {
  const { runProgram } = await import('./program.ts')
  io.exit(await runProgram(io))
}
