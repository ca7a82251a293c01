import type { ResourceName } from '@qd/core/define'
import type { Command } from './command.ts'
import { dryRunFlag } from './flags/dry-run-flag.ts'
import { resultFlags } from './flags/output-flags.ts'
import { serverEventsCommand, serverHistoryCommand, serviceHistoryCommand } from './history.ts'
import { changePassword } from './password.ts'
import { bindCommand } from './providers.ts'
import { runWaitCommand, runWatchCommand } from './running/run-wait.ts'

/** `qd account password`: asks for the old and the new password, or reads them from files. */
const passwordCommand: Command = {
  name: 'password',
  help: 'ui.cli.commands.password',
  flags: [
    { flags: '--current-file <file>', help: 'ui.cli.flags.currentFile' },
    { flags: '--new-file <file>', help: 'ui.cli.flags.newFile' },
    { flags: '--username <name>', help: 'ui.cli.flags.newUsername' },
    dryRunFlag,
    ...resultFlags(() => ['username']),
  ],
  examples: ['account password', 'account password --current-file old.txt --new-file new.txt'],
  async run(cli, _args, flags) {
    await changePassword(cli, flags)
    return undefined
  },
}

/** Escape hatch: commands that are neither a common verb nor an action of a list. */
export const specialCommands: Readonly<Partial<Record<ResourceName, readonly Command[]>>> = {
  server: [serverHistoryCommand, serverEventsCommand],
  service: [serviceHistoryCommand],
  account: [passwordCommand, bindCommand],
  run: [runWatchCommand, runWaitCommand],
}
