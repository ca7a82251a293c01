import type { AnyRow, Resource } from '@qd/core/define'
import { machineValue } from '@qd/core/fields'
import { resources } from '@qd/core/resources'
import { toYaml } from '../output/yaml.ts'
import { aboutResource, type Command, type CommandGroup } from './command.ts'
import { selectFlags } from './flags/choice-flags.ts'
import { fieldOf, pickFields, resultFields, resultFlags } from './flags/output-flags.ts'
import { pickMany } from './pick.ts'
import { recordsOf } from './read.ts'

/** Version of what is written; read again by a later `qd apply`. */
const formatVersion = 1
/** Stands for a secret, which no server tells: it stays as it is. */
const unchanged = { unchanged: true } as const

/** `qd export ENTITY`: what can be changed of records, to keep and compare (behaviour C-19). */
export const exportGroup: CommandGroup = {
  name: 'export',
  help: 'ui.cli.commands.export',
  commands: resources.filter(({ wire }) => wire.shape === 'many' && wire.verbs.includes('edit')).map(exportCommand),
}

function exportCommand(resource: Resource): Command {
  const { name } = resource
  const fields = ['id', ...Object.keys(resource.input.shape)]
  return {
    name,
    help: aboutResource('ui.cli.commands.exportOf', resource),
    args: '[names...]',
    values: { kind: 'records', of: name },
    flags: [...selectFlags(name), ...resultFlags(() => fields)],
    examples: [`export ${name} > ${name}.yaml`, `export ${name} --ids 7,12 --json`],
    async run(cli, [given], flags) {
      const words = (given ?? []) as readonly string[]
      const wanted = resultFields(flags, fields)
      const records = await recordsOf(cli)
      const isChosen = words.length > 0 || [flags.select, flags.ids, flags.all].some((flag) => flag !== undefined)
      const rows = isChosen
        ? await pickMany({ cli, resource, records, words, flags, command: `qd export ${name}`, action: null })
        : await records.list(resource)
      const items = rows
        .toSorted((a, b) => a.id - b.id)
        .map((row) => pickFields(editable(resource, row, fields), wanted ?? fields))
      const document = { quarterdeck: formatVersion, [name]: items }
      if (wanted) cli.json(document)
      else cli.io.stdout.write(toYaml(document))
      return undefined
    },
  }
}

/** The values of a record that an edit takes, in the order of the definition. */
function editable(resource: Resource, row: AnyRow, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((name) => {
      const field = fieldOf(resource, name)
      return [name, field.kind === 'secret' ? unchanged : machineValue(field, row[name])]
    }),
  )
}
