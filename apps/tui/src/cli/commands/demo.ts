import { AppError } from '@qd/core/errors'
import { startDemoServer } from '../../base/demo-server.ts'
import type { Command } from './command.ts'

/** `qd demo`: the server’s demo in the terminal UI, gone when that closes. */
export const demoCommand: Command = {
  name: 'demo',
  help: 'ui.cli.commands.demo',
  examples: ['demo'],
  async run(cli) {
    const { io, translator } = cli
    if (!io.stdin.isTTY || !io.stdout.isTTY)
      throw new AppError('usage', { reason: 'noTerminal', try: 'quarterdeck --demo' })
    cli.note(translator.t('ui.cli.demo.starting'))
    const closing = new AbortController()
    const server = startDemoServer(io)
    cli.onInterrupt(async () => {
      closing.abort()
      await server.stop()
    })
    try {
      const env = await server.ready
      return env ? await io.runInFront([], { env, cwd: server.folder, signal: closing.signal }) : 0
    } finally {
      await server.stop()
    }
  },
}
