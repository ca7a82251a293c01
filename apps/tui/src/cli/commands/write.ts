import type { Resource } from '@qd/core/define'
import { type FormMode, jsonFields } from '@qd/core/view'
import { aboutResource, type Command } from './command.ts'
import { dryRunFlag } from './flags/dry-run-flag.ts'
import { fieldFlags, formFlags } from './flags/field-flags.ts'
import { resultFlags } from './flags/output-flags.ts'
import { savingExamples } from './help/examples.ts'
import { save } from './saving.ts'

/** `qd <entity> create`. */
export function createCommand(resource: Resource): Command {
  return saving(resource, { name: 'create', mode: 'create', examples: [exampleOf(resource, 'create')] })
}

/** `qd <entity> edit`: changes the named values and keeps the others. */
export function editCommand(resource: Resource): Command {
  return saving(resource, { name: 'edit', mode: 'edit', args: '[name]', examples: [exampleOf(resource, 'edit 7')] })
}

/** `qd <entity> duplicate`: a new record like another, with the named values changed. */
export function duplicateCommand(resource: Resource): Command {
  return saving(resource, {
    name: 'duplicate',
    mode: 'duplicate',
    args: '[name]',
    examples: [exampleOf(resource, 'duplicate 7')],
  })
}

/** `qd <entity> set`: changes a resource that is a single record. */
export function setCommand(resource: Resource): Command {
  return saving(resource, { name: 'set', mode: 'edit', examples: [exampleOf(resource, 'set')] })
}

function saving(resource: Resource, about: Pick<Command, 'name' | 'args' | 'examples'> & { mode: FormMode }): Command {
  const { mode, ...command } = about
  return {
    ...command,
    examples: savingExamples(`${resource.name} ${command.name}`) ?? command.examples,
    ...(command.args ? { values: { kind: 'records', of: resource.name } as const } : {}),
    help: aboutResource(`ui.cli.commands.${command.name}`, resource, 'one'),
    flags: [
      ...fieldFlags(resource),
      ...formFlags(resource, { isEdit: mode === 'edit' }),
      ...(mode === 'create' ? [{ flags: '--if-absent', help: 'ui.cli.flags.ifAbsent' }] : []),
      dryRunFlag,
      ...resultFlags(() => jsonFields(resource)),
    ],
    async run(cli, [given], flags) {
      return save(cli, { resource, mode, word: given, verb: command.name, flags })
    },
  }
}

function exampleOf(resource: Resource, verb: string): string {
  const [first] = fieldFlags(resource)
  const flag = first?.flags.split(' ')[0] ?? ''
  return [resource.name, verb, flag === '' ? '' : `${flag} …`].filter(Boolean).join(' ')
}
