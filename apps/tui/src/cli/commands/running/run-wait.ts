import { run } from '@qd/core/resources'
import { jsonFields } from '@qd/core/view'
import type { Command } from '../command.ts'
import { partFlag, resultFlags } from '../flags/output-flags.ts'
import { outputOf, showRun, waitLimits } from '../printing/outcome.ts'
import { findOne, recordsOf } from '../read.ts'

/** Looks on until a run is over and writes its output as it comes; the exit code is the run's. */
function lookingOn({ name, help, hasLimit }: { name: string; help: string; hasLimit: boolean }): Command {
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
        action: run.actions.again!,
      })
    },
  }
}

/** `qd run wait`: as `--wait` of the command that starts a run, up to a limit. */
export const runWaitCommand = lookingOn({ name: 'wait', help: 'ui.cli.commands.runWait', hasLimit: true })

/** `qd run watch`: until it is over or Ctrl+C; the run goes on. */
export const runWatchCommand = lookingOn({ name: 'watch', help: 'ui.cli.commands.runWatch', hasLimit: false })
