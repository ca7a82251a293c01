import { createDryRun } from '@qd/core/actions'
import type { Call } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { readGiven } from '../../base/connect/settings.ts'
import type { Command } from './command.ts'
import { textFlag } from './command.ts'
import { dryRunFlag } from './flags/dry-run-flag.ts'
import { filterFlags } from './flags/output-flags.ts'
import { printDryRun } from './printing/dry-run-output.ts'

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const satisfies readonly Call['method'][]

/** `qd api METHOD PATH`: one call as the signed-in person, for what no command does. Its answer is JSON. */
export const apiCommand: Command = {
  name: 'api',
  help: 'ui.cli.commands.api',
  args: '<method> <path>',
  flags: [{ flags: '--body-file <file>', help: 'ui.cli.flags.bodyFile' }, dryRunFlag, ...filterFlags],
  examples: [
    'api GET server',
    "api GET 'audit?limit=5' --jq '.value[].action'",
    'api POST waf/block --body-file block.json',
  ],
  async run(cli, [method = '', path = ''], flags) {
    const call = {
      ...callOf(method, path),
      ...(await bodyOf(textFlag(flags, 'bodyFile'), (file) => readGiven(cli.io, file, { lines: true }))),
    }
    const { client } = await cli.connect()
    if (flags.dryRun === true && call.method !== 'GET') {
      const api = createDryRun(client)
      await api.send(call)
      printDryRun(cli, { api, notes: [], json: cli.isFiltered })
    } else cli.json(await client.send(call))
    return undefined
  },
}

/** `/api/v1/` may stand before the path or not. Errors: `usage`. */
function callOf(method: string, path: string): Pick<Call, 'method' | 'path'> {
  const known = methods.find((one) => one === method.toUpperCase())
  if (!known) throw new AppError('usage', { reason: 'badMethod', name: method, try: 'qd api GET server' })
  const short = path.replace(/^\/?(api\/v1\/)?/, '')
  if (short === '' || /^[a-z]+:|\.\.|[\s\\]/i.test(short))
    throw new AppError('usage', { reason: 'badPath', path, try: 'qd api GET server' })
  return { method: known, path: short }
}

/** Errors: `usage` where the file cannot be read or is no JSON. */
async function bodyOf(path: string | undefined, read: (path: string) => Promise<string>): Promise<Pick<Call, 'body'>> {
  if (path === undefined) return {}
  const text = await read(path)
  try {
    return { body: JSON.parse(text) }
  } catch (thrown) {
    throw new AppError('usage', { reason: 'brokenFile', path, text: thrown instanceof Error ? thrown.message : '' })
  }
}
