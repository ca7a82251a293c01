import { AppError } from '@qd/core/errors'
import { commandWithInput } from '@qd/core/fields'
import { longestCommand } from '@qd/core/schemas'
import type { Cli } from '../cli.ts'
import type { Flag } from '../command.ts'

/** The flag by which a command on hosts gets what comes in here. */
export const inputFlag: Flag = { flags: '-i, --stdin', help: 'ui.cli.flags.stdin' }

/**
 * A command that reads what comes in on stdin here, on each host: agents take one line for a shell, so the text goes along in it, as a here
 * document. Errors: `usage` where nothing is piped, for what is no text and for what is too long.
 */
export async function withInput({ io }: Cli, command: string): Promise<string> {
  if (io.stdin.isTTY)
    throw new AppError('usage', { reason: 'noPipedInput', try: `echo TEXT | qd exec -i web-1 -- cat` })
  const text = await io.stdin.readAll()
  if (/[\0\ufffd]/.test(text)) throw new AppError('usage', { reason: 'binaryInput', try: 'qd files put' })
  const whole = commandWithInput(command, text)
  if (whole.length > longestCommand) throw new AppError('usage', { reason: 'longInput', try: 'qd files put' })
  return whole
}
