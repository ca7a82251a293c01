import { fieldOf, type Resource, textKey } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { aliasGroup } from './alias.ts'
import type { Command, CommandGroup, Flag } from './command.ts'
import { completionCommand } from './completion.ts'
import { demoCommand } from './demo.ts'
import { documentCommands } from './documents/apply.ts'
import { exportGroup } from './documents/export.ts'
import { migrateCommand } from './documents/migrate.ts'
import { filesGroup } from './files/files-group.ts'
import { loginCommand, logoutCommand, whoamiCommand } from './login.ts'
import { logsCommand, logsOf } from './logs.ts'
import { apiCommand, helpCommand, mcpCommand, openCommand, type ServeTools, watchGroup } from './other-commands.ts'
import { profileGroup } from './profile.ts'
import { getCommand, listCommand, type WatchList } from './read.ts'
import { actionCommands, deleteCommand } from './running/action-commands.ts'
import { createCommand, duplicateCommand, editCommand, setCommand } from './saving.ts'
import { specialCommands } from './special-commands.ts'

export const uiFlags: readonly Flag[] = [
  { flags: '--version', help: 'ui.cli.flags.version' },
  { flags: '--read-only', help: 'ui.cli.flags.readOnly' },
  { flags: '--mouse', help: 'ui.cli.flags.mouse' },
  { flags: '--screen-reader', help: 'ui.cli.flags.screenReader' },
]

export function commandTree(
  parse: (args: readonly string[]) => Promise<void>,
  watch: WatchList | null = null,
  serve: ServeTools | null = null,
): readonly (Command | CommandGroup)[] {
  return [
    ...resources.map((resource) => groupOf(resource, watch)),
    ...resources
      .filter(({ cli }) => Object.keys(cli).length > 0)
      .flatMap((resource) => actionCommands(resource).topLevel),
    loginCommand,
    logoutCommand,
    whoamiCommand,
    profileGroup,
    aliasGroup(() => commandTree(parse)),
    exportGroup,
    ...documentCommands(),
    migrateCommand,
    filesGroup,
    logsCommand,
    watchGroup(watch),
    openCommand,
    apiCommand,
    mcpCommand(serve),
    demoCommand,
    completionCommand,
    helpCommand(parse),
  ]
}

function groupOf(resource: Resource, watch: WatchList | null): CommandGroup {
  const { name } = resource
  let commands: readonly Command[] | undefined
  return {
    name,
    help: textKey.many(name),
    get commands() {
      commands ??= commandsOf(resource, watch)
      return commands
    },
  }
}

/** Verbs of the wire, then actions. */
function commandsOf(resource: Resource, watch: WatchList | null): readonly Command[] {
  const { wire, name } = resource
  const has = (verb: (typeof wire.verbs)[number]) => wire.verbs.includes(verb)
  const isMany = wire.shape === 'many'
  const commands = [
    has('list') ? [listCommand(resource, watch)] : [],
    has('get') || has('list') ? [getCommand(resource)] : [],
    has('create') ? [createCommand(resource)] : [],
    has('edit') && isMany ? [editCommand(resource)] : [],
    has('edit') && !isMany && !hasSecrets(resource) ? [setCommand(resource)] : [],
    has('create') ? [duplicateCommand(resource)] : [],
    has('delete') ? [deleteCommand(resource)] : [],
    logsOf(resource),
    actionCommands(resource).own.filter((own) => !specialCommands[name]?.some((special) => special.name === own.name)),
    specialCommands[name] ?? [],
  ]
  return commands.flat()
}

/** Forms with secrets have commands of their own. */
function hasSecrets({ form, fields }: Resource): boolean {
  return form.some((group) => group.fields.some(({ field }) => fieldOf({ fields }, field).kind === 'secret'))
}
