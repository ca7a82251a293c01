import type { ResourceName } from '@qd/core/define'
import { run } from '@qd/core/resources'
import { jsonFields } from '@qd/core/view'
import type { Command } from './command.ts'
import { partFlag, resultFlags } from './flags/output-flags.ts'
import { serverEventsCommand, serverHistoryCommand, serviceHistoryCommand } from './history.ts'
import { passwordCommand } from './password.ts'
import { outputOf, showRun, waitLimits } from './printing/outcome.ts'
import { bindCommand } from './providers.ts'
import { findOne, recordsOf } from './read.ts'

function followCommand({ name, help, hasLimit }: { name: string; help: string; hasLimit: boolean }): Command {
  return {
    name,
    help,
    args: '[name]',
    values: { kind: 'records', of: 'run' },
    flags: [
      ...(hasLimit ? [{ flags: '--timeout <time>', help: 'ui.cli.flags.waitTimeout' }] : []),
      { flags: '--poll <time>', help: 'ui.cli.flags.poll' },
      ...resultFlags(() => jsonFields(run)),
      partFlag,
    ],
    examples: [`run ${name} 7`, `run ${name} 7 ${hasLimit ? '--timeout 1h ' : ''}--jsonl server_name,exit_code`],
    async run(cli, [given], flags) {
      const output = outputOf(flags)
      const limits = waitLimits({ ...flags, wait: true }, { isFollowed: true })!
      const row = await findOne(run, await recordsOf(cli), given, name)
      const timeoutMs = hasLimit ? limits.timeoutMs : Number.POSITIVE_INFINITY
      return showRun(cli, row.id, {
        limits: { ...limits, timeoutMs },
        output,
        isCommand: true,
        action: run.actions.again,
      })
    },
  }
}

const runWaitCommand = followCommand({ name: 'wait', help: 'ui.cli.commands.runWait', hasLimit: true })

const runWatchCommand = followCommand({ name: 'watch', help: 'ui.cli.commands.runWatch', hasLimit: false })

/** Commands that are neither common verbs nor list actions. */
export const specialCommands: Readonly<Partial<Record<ResourceName, readonly Command[]>>> = {
  server: [serverHistoryCommand, serverEventsCommand],
  service: [serviceHistoryCommand],
  account: [passwordCommand, bindCommand],
  run: [runWatchCommand, runWaitCommand],
}
