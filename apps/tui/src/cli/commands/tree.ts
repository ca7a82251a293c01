import { lazy, type Resource, type ResourceName, textKey } from '@qd/core/define'
import { resources, run } from '@qd/core/resources'
import { hasSecrets, jsonFields } from '@qd/core/view'
import type { Command, CommandGroup, Flag } from './command.ts'
import { completionCommand } from './completion.ts'
import { documentCommands } from './documents/apply.ts'
import { exportGroup } from './documents/export.ts'
import { migrateCommand } from './documents/migrate.ts'
import { filesGroup } from './files/files-group.ts'
import { partFlag, resultFlags } from './flags/flags.ts'
import { serverEventsCommand, serverHistoryCommand, serviceHistoryCommand } from './history.ts'
import { bindCommand, loginCommand, logoutCommand, passwordCommand, whoamiCommand } from './login.ts'
import { logsCommand, logsOf } from './logs.ts'
import { apiCommand, demoCommand, helpCommand, mcpCommand, openCommand, watchGroup } from './other-commands.ts'
import { aliasGroup, profileGroup } from './own-config.ts'
import { outputOf, showRun, waitLimits } from './printing/outcome.ts'
import { findOne, getCommand, listCommand, recordsOf } from './read.ts'
import { actionCommands, deleteCommand } from './running/action-commands.ts'
import { savingCommand } from './saving.ts'

export const uiFlags: readonly Flag[] = [
  { flags: '--version', help: 'ui.cli.flags.version' },
  { flags: '--read-only', help: 'ui.cli.flags.readOnly' },
  { flags: '--mouse', help: 'ui.cli.flags.mouse' },
  { flags: '--screen-reader', help: 'ui.cli.flags.screenReader' },
]

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

const specialCommands: Readonly<Partial<Record<ResourceName, readonly Command[]>>> = {
  server: [serverHistoryCommand, serverEventsCommand],
  service: [serviceHistoryCommand],
  account: [passwordCommand, bindCommand],
  run: [
    followCommand({ name: 'watch', help: 'ui.cli.commands.runWatch', hasLimit: false }),
    followCommand({ name: 'wait', help: 'ui.cli.commands.runWait', hasLimit: true }),
  ],
}

export function commandTree(): readonly (Command | CommandGroup)[] {
  return [
    ...resources.map(groupOf),
    ...resources
      .filter(({ cli }) => Object.keys(cli).length > 0)
      .flatMap((resource) => actionCommands(resource, { areTopLevel: true })),
    loginCommand,
    logoutCommand,
    whoamiCommand,
    profileGroup,
    aliasGroup,
    exportGroup,
    ...documentCommands,
    migrateCommand,
    filesGroup,
    logsCommand,
    watchGroup,
    openCommand,
    apiCommand,
    mcpCommand,
    demoCommand,
    completionCommand,
    helpCommand,
  ]
}

function groupOf(resource: Resource): CommandGroup {
  const commands = lazy(() => commandsOf(resource))
  return {
    name: resource.name,
    help: textKey.many(resource.name),
    get commands() {
      return commands()
    },
  }
}

function commandsOf(resource: Resource): readonly Command[] {
  const { wire, name } = resource
  const has = (verb: (typeof wire.verbs)[number]) => wire.verbs.includes(verb)
  const isMany = wire.shape === 'many'
  const commands = [
    has('list') ? [listCommand(resource)] : [],
    has('get') || has('list') ? [getCommand(resource)] : [],
    has('create') ? [savingCommand(resource, 'create')] : [],
    has('edit') && isMany ? [savingCommand(resource, 'edit')] : [],
    // Forms with secrets have commands of their own.
    has('edit') && !isMany && !hasSecrets(resource) ? [savingCommand(resource, 'set')] : [],
    has('create') ? [savingCommand(resource, 'duplicate')] : [],
    has('delete') ? [deleteCommand(resource)] : [],
    logsOf(resource),
    actionCommands(resource).filter((own) => !specialCommands[name]?.some((special) => special.name === own.name)),
    specialCommands[name] ?? [],
  ]
  return commands.flat()
}
