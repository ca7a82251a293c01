import { run } from '@qd/core/resources'
import { jsonFields } from '@qd/core/view'
import type { Command } from '../command.ts'
import { partFlag, resultFlags } from '../flags/output-flags.ts'
import { outputOf, showRun, waitLimits } from '../printing/outcome.ts'
import { findOne, recordsOf } from '../read.ts'

/** `qd run wait`: looks on until a run is over, as `--wait` does of the command that starts it; the exit code is the run's. */
export const runWaitCommand: Command = {
  name: 'wait',
  help: 'ui.cli.commands.runWait',
  args: '[name]',
  values: { kind: 'records', of: 'run' },
  flags: [
    { flags: '--timeout <time>', help: 'ui.cli.flags.waitTimeout' },
    { flags: '--poll <time>', help: 'ui.cli.flags.poll' },
    ...resultFlags(() => jsonFields(run)),
    partFlag,
  ],
  examples: ['run wait 214', 'run wait 214 --timeout 1h --jsonl server_name,exit_code'],
  async run(cli, [name], flags) {
    const output = outputOf(flags)
    const limits = waitLimits({ ...flags, wait: true })
    const row = await findOne(run, await recordsOf(cli), name, 'wait')
    return showRun(cli, row.id, { limits, output, isCommand: true, action: run.actions.again! })
  },
}
