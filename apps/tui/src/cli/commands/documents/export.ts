import { lazy, type Resource } from '@qd/core/define'
import { configuration, documentFields, isConfiguration, readState, withNamed, writeDocument } from '@qd/core/documents'
import { resources } from '@qd/core/resources'
import { pickFields } from '@qd/core/view'
import {
  aboutResource,
  type Cli,
  type Command,
  type CommandGroup,
  type Flag,
  type FlagValues,
  wordsIn,
} from '../command.ts'
import { resultFields, resultFlags, selectFlags } from '../flags/flags.ts'
import { pickMany } from '../pick.ts'
import { printValues } from '../printing/show.ts'
import { recordsOf } from '../read.ts'
import { warnUnreadable } from './apply.ts'

const secretsFlag: Flag = { flags: '--with-secrets', help: 'ui.cli.flags.withSecrets' }

const exportCommands = lazy(() => [
  exportAllCommand(),
  ...resources.filter((resource) => resource.wire.shape === 'many' && isConfiguration(resource)).map(exportCommand),
])

export const exportGroup: CommandGroup = {
  name: 'export',
  help: 'ui.cli.commands.export',
  get commands() {
    return exportCommands()
  },
}

function exportAllCommand(): Command {
  return {
    name: 'all',
    isDefault: true,
    help: 'ui.cli.commands.exportAll',
    flags: [
      { flags: '--all', help: 'ui.cli.flags.all', hidden: true },
      secretsFlag,
      ...resultFlags(() => configuration().map(({ name }) => name)),
    ],
    writes: 'yaml',
    examples: ['export all > qd.yaml', 'export all --json > qd.json'],
    async run(cli, _args, flags) {
      const names: readonly string[] = configuration().map(({ name }) => name)
      const wanted = resultFields(flags, names) ?? names
      const document = await documentOf(cli, configuration(), flags)
      const kept = Object.keys(document).filter((key) => !names.includes(key) || wanted.includes(key))
      await printValues(cli, kindOf(flags), pickFields(document, kept))
    },
  }
}

function exportCommand(resource: Resource): Command {
  const { name } = resource
  const fields = ['id', ...documentFields(resource)]
  return {
    name,
    help: aboutResource('ui.cli.commands.exportOf', resource),
    args: '[names...]',
    values: { kind: 'records', of: name },
    flags: [...selectFlags(name), secretsFlag, ...resultFlags(() => fields)],
    writes: 'yaml',
    examples: [`export ${name} > ${name}.yaml`, `export ${name} --ids 7,12 --json`],
    async run(cli, args, flags) {
      const words = wordsIn(args)
      const wanted = resultFields(flags, fields)
      const isChosen = words.length > 0 || [flags.select, flags.ids, flags.all].some((flag) => flag !== undefined)
      const records = await recordsOf(cli)
      const rows = isChosen
        ? await pickMany({ cli, resource, records, words, flags, command: `qd export ${name}` })
        : null
      const ids = rows && new Set(rows.map(({ id }) => id))
      const document = await documentOf(cli, [resource], flags, ids)
      const items = document[name] as readonly Record<string, unknown>[]
      const chosen = wanted ? items.map((item) => pickFields(item, wanted)) : items
      await printValues(cli, kindOf(flags), { ...document, [name]: chosen })
    },
  }
}

/** The records of these resources; of a single one, those with these ids. Errors: AppError of a resource requested alone. */
async function documentOf(
  cli: Cli,
  wanted: readonly Resource[],
  flags: FlagValues,
  ids: ReadonlySet<number> | null = null,
): Promise<Readonly<Record<string, unknown>>> {
  const { client } = await cli.connect()
  const read = await readState(client, withNamed(wanted))
  const unread = read.unread.filter(({ resource }) => wanted.includes(resource))
  if (unread[0] && wanted.length === 1) throw unread[0].error
  warnUnreadable(cli, { ...read, unread })
  return writeDocument({
    state: read.state,
    resources: wanted,
    withSecrets: flags.withSecrets === true,
    ...(ids && { only: (_resource, { id }) => ids.has(id) }),
  })
}

const kindOf = ({ json }: FlagValues) => (json === undefined ? 'yaml' : 'json')
