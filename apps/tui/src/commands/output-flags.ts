import type { Field, Resource } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { nearest, termsOf } from '@qd/core/targets'
import type { Cli } from './cli.ts'
import type { Flag, FlagValues } from './command.ts'

/** How the data of a command is written. `fields` null: all of them. `list`: only the names of the fields are asked for. */
export type OutputChoice =
  | { kind: 'table' | 'plain'; header: boolean }
  | { kind: 'json' | 'jsonl'; fields: readonly string[] | null }
  | { kind: 'list' }

/** Flags of commands that read records. */
export const readFlags: readonly Flag[] = [
  { flags: '--json [fields]', help: 'ui.cli.flags.json' },
  { flags: '--jsonl [fields]', help: 'ui.cli.flags.jsonl' },
  { flags: '--plain', help: 'ui.cli.flags.plain' },
  { flags: '--no-header', help: 'ui.cli.flags.noHeader' },
]

/** Flag of commands that do something: bare, it writes the whole result. */
export const resultFlag: Flag = { flags: '--json [fields]', help: 'ui.cli.flags.jsonResult' }

/** The definition of a field; a resource that does not name its id has one nevertheless. */
export function fieldOf(resource: Resource, name: string): Field {
  return resource.fields[name] ?? { kind: 'number' }
}

/** The fields of `--json`: everything shown or read, by its name on the wire; secrets only where they are named. */
export function jsonFields(resource: Resource): string[] {
  const isShown = ([, field]: [string, Field]) => !field.hidden && field.kind !== 'trend' && field.kind !== 'secret'
  const names = Object.entries(resource.fields)
    .filter(isShown)
    .map(([name]) => name)
  return resource.wire.shape === 'many' ? ['id', ...names.filter((name) => name !== 'id')] : names
}

/** What the flags and then the saved preference say. Errors: `usage` for an unknown field, naming near ones. */
export async function outputChoice(cli: Cli, resource: Resource, flags: FlagValues): Promise<OutputChoice> {
  for (const kind of ['json', 'jsonl'] as const) {
    const value = flags[kind]
    if (value === true) return { kind: 'list' }
    if (typeof value === 'string') return { kind, fields: parseFields(resource, value) }
  }
  const header = flags.header !== false
  if (flags.plain) return { kind: 'plain', header }
  const { output } = await cli.settings()
  return output === 'json' || output === 'jsonl' ? { kind: output, fields: null } : { kind: output, header }
}

/** Canonical names of a list of fields; an alias is as good as the name. Errors: `usage`. */
export function parseFields(resource: Resource, text: string): string[] {
  const known = jsonFields(resource)
  return text.split(',').map((part) => {
    const name = part.trim().replaceAll('-', '_')
    const found = known.includes(name) ? name : termsOf(resource).find(name)?.field
    if (found !== undefined && known.includes(found)) return found
    if (resource.fields[name]?.kind === 'secret') return name
    const near = nearest(name, known)
    throw new AppError('usage', {
      reason: 'unknownField',
      name: part.trim(),
      near,
      try: `--json ${near.join(',')}`.trim(),
    })
  })
}
