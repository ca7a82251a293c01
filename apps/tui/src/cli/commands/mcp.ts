import { AppError } from '@qd/core/errors'
import type { Cli } from './cli.ts'
import type { Command } from './command.ts'

/** Serves the tools to the program at the other end of the standard streams; returns the exit code. */
export type ServeTools = (cli: Cli) => Promise<number>

/** `qd mcp`: what can be done here, as tools of the Model Context Protocol. */
export function mcpCommand(serve: ServeTools | null): Command {
  return {
    name: 'mcp',
    help: 'ui.cli.commands.mcp',
    examples: ['mcp', 'mcp --profile production'],
    textsLater: true,
    async run(cli) {
      if (!serve) throw new AppError('internal')
      return serve(cli)
    },
  }
}
