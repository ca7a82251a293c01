import { quoted } from '@qd/core/actions'
import type { Resource, ResourceName } from '@qd/core/define'
import { AppError, usageError } from '@qd/core/errors'
import { languages } from '@qd/core/i18n'
import { type RunItem, runItem } from '@qd/core/resources'
import { nearest } from '@qd/core/targets'
import { jsonFields, namedFields, parseFields, pickFields, unknownField } from '@qd/core/view'
import { templateFields } from '../../../base/output/filter.ts'
import { type Cli, type Command, type Flag, type FlagValues, type OutputChoice, textFlag } from '../command.ts'

export const globalFlags: readonly Flag[] = [
  { flags: '--profile <name>', help: 'ui.cli.flags.profile', values: { kind: 'profiles' } },
  { flags: '--endpoint <address>', help: 'ui.cli.flags.url' },
  { flags: '--url <address>', help: 'ui.cli.flags.url', hidden: true },
  { flags: '--user <name>', help: 'ui.cli.flags.user' },
  { flags: '--password-file <file>', help: 'ui.cli.flags.passwordFile' },
  { flags: '--token-file <file>', help: 'ui.cli.flags.tokenFile' },
  { flags: '--retries <n>', help: 'ui.cli.flags.retries' },
  { flags: '--lang <language>', help: 'ui.cli.flags.lang', values: { kind: 'words', words: () => languages } },
  { flags: '-q, --quiet', help: 'ui.cli.flags.quiet' },
  { flags: '-v, --verbose', help: 'ui.cli.flags.verbose' },
  { flags: '--no-input', help: 'ui.cli.flags.noInput' },
  { flags: '--no-color', help: 'ui.cli.flags.noColor' },
  { flags: '--ascii', help: 'ui.cli.flags.ascii' },
]

export function selectFlag(of: ResourceName): Flag {
  return { flags: '--select <query>', help: 'ui.cli.flags.select', values: { kind: 'query', of } }
}

export function idsFlag(of: ResourceName): Flag {
  return { flags: '--ids <list>', help: 'ui.cli.flags.ids', values: { kind: 'records', of, many: true } }
}

export function selectFlags(of: ResourceName): readonly Flag[] {
  return [selectFlag(of), idsFlag(of), { flags: '--all', help: 'ui.cli.flags.all' }]
}

/** The flag that says on which servers records of hosts are read; none for others. */
export function hostFlags({ host }: Resource): readonly Flag[] {
  return host ? [{ flags: '--on <query>', help: 'ui.cli.flags.on', values: { kind: 'query', of: 'server' } }] : []
}

/** Answers to a confirmation (behaviour C-18). */
export const confirmFlags: readonly Flag[] = [
  { flags: '-y, --yes', help: 'ui.cli.flags.yes' },
  { flags: '--confirm <words>', help: 'ui.cli.flags.confirm' },
]

export const dryRunFlag: Flag = { flags: '--dry-run', help: 'ui.cli.flags.dryRun' }

const outputs = ['table', 'wide', 'plain', 'json', 'jsonl', 'yaml', 'name'] as const

/** Of lists, and hidden of other commands that write something for programs. */
export const outputFlag: Flag = {
  flags: '-o, --output <kind>',
  help: 'ui.cli.flags.output',
  values: { kind: 'words', words: () => outputs },
}

/** What `-o` chooses from: of a list everything; of another command its own output, and what it writes for programs. */
export function outputsOf({
  flags = [],
  writes = 'table',
}: Pick<Command, 'flags'> & { writes?: string }): readonly string[] {
  if (flags.includes(outputFlag)) return outputs
  const kinds = ['json', 'jsonl'].filter((kind) => flags.some((flag) => flag.flags.startsWith(`--${kind} `)))
  return kinds.length === 0 ? [] : [writes, ...kinds]
}

/** Translates `-o json` to `--json`. Errors: `usage` for an output that isn’t known. */
export function withOutput(given: FlagValues, known: readonly string[]): FlagValues {
  const { output: text } = given
  if (typeof text !== 'string') return given
  if (!known.includes(text)) throw usageError('badOutput', { text, known: known.join(', ') })
  return text === 'json' || text === 'jsonl' ? { ...given, [text]: given[text] ?? true } : given
}

export const plainFlags: readonly Flag[] = [
  { flags: '--plain', help: 'ui.cli.flags.plain' },
  { flags: '--no-header', help: 'ui.cli.flags.noHeader' },
]

export const filterFlags: readonly Flag[] = [
  { flags: '--jq <filter>', help: 'ui.cli.flags.jq' },
  { flags: '--template <text>', help: 'ui.cli.flags.template' },
]

function jsonFlag(name: 'json' | 'jsonl', help: string, words: () => readonly string[]): Flag {
  return { flags: `--${name} [fields]`, help, values: { kind: 'words', words, many: true } }
}

export function listFlags(resource: Resource): readonly Flag[] {
  const words = () => jsonFields(resource)
  return [
    jsonFlag('json', 'ui.cli.flags.json', words),
    jsonFlag('jsonl', 'ui.cli.flags.jsonl', words),
    outputFlag,
    ...filterFlags,
    ...plainFlags,
  ]
}

export function recordFlags(resource: Resource): readonly Flag[] {
  return [jsonFlag('json', 'ui.cli.flags.json', () => jsonFields(resource)), outputFlag, ...filterFlags]
}

export function resultFlags(words: () => readonly string[]): readonly Flag[] {
  return [jsonFlag('json', 'ui.cli.flags.json', words), ...filterFlags]
}

export const streamFlags = (words: () => readonly string[]): readonly Flag[] => [
  jsonFlag('jsonl', 'ui.cli.flags.jsonl', words),
  ...filterFlags,
]

/** A run as a document (`fields` null: all of it), or a line per server. */
export type ResultOutput =
  | { kind: 'json'; fields: readonly string[] | null }
  | { kind: 'parts'; fields: readonly (keyof RunItem)[] }

export const partFields = () => Object.keys(runItem().shape) as readonly (keyof RunItem)[]

export const partFlag: Flag = jsonFlag('jsonl', 'ui.cli.flags.jsonlParts', partFields)

/** By flags, else the saved preference. Errors: `usage` for an unknown field, with suggestions. */
export async function outputChoice(cli: Cli, resource: Resource, flags: FlagValues): Promise<OutputChoice> {
  for (const kind of ['json', 'jsonl'] as const) {
    const value = flags[kind]
    if (value === undefined) continue
    const fields = typeof value === 'string' ? parseFields(resource, value) : null
    demandTemplate(flags, fields ?? jsonFields(resource))
    return { kind, fields }
  }
  const header = flags.header !== false
  const kind = (flags.output ?? (flags.plain ? 'plain' : (await cli.settings()).output)) as (typeof outputs)[number]
  if (kind === 'wide') return { kind: 'table', header, isWide: true }
  if (kind === 'table' || kind === 'plain') return { kind, header }
  return { kind, fields: kind === 'name' ? [resource.title] : null }
}

/** Fields for `--json` or `--jsonl`; null if not given. Errors: `usage`. */
export function resultFields<Name extends string>(flags: FlagValues, known: readonly Name[]): readonly Name[] | null {
  const { jsonl, json = jsonl } = flags
  if (json === undefined) return null
  const fields = typeof json === 'string' ? namedFields(json, known) : known
  demandTemplate(flags, fields)
  return fields
}

function demandTemplate(flags: FlagValues, known: readonly string[]): void {
  const template = textFlag(flags, 'template') ?? ''
  const name = templateFields(template).find((field) => !known.includes(field))
  if (name === undefined) return
  const { params } = unknownField(name, known)
  const [near] = nearest(name, known)
  throw new AppError('usage', {
    ...params,
    try: near === undefined ? 'qd help output' : `--template ${quotedTemplate(template, name, near)}`,
  })
}

const quotedTemplate = (template: string, name: string, near: string) =>
  quoted(template.replaceAll(new RegExp(`(\\{\\{\\s*\\.)${name}\\b`, 'g'), `$1${near}`))

/** Adds `--json` with these fields to a command; without it, `print` shows what `run` returns. Errors: `usage`, before it starts. */
export function withResult<
  Name extends string,
  Result extends Record<Name, unknown> | readonly Record<Name, unknown>[],
>(
  fields: readonly Name[],
  {
    print,
    ...command
  }: Omit<Command, 'run'> & {
    run(cli: Cli, args: readonly (string | undefined)[], flags: FlagValues): Promise<Result | undefined>
    print?(cli: Cli, result: Result, flags: FlagValues): void
  },
): Command {
  return {
    ...command,
    flags: [...(command.flags ?? []), ...resultFlags(() => fields)],
    async run(cli, args, flags) {
      const wanted = resultFields(flags, fields)
      const result = await command.run(cli, args, flags)
      if (result === undefined) return
      const pick = (one: Record<Name, unknown>) => pickFields(one, wanted ?? fields)
      if (!wanted) print?.(cli, result, flags)
      else cli.json(Array.isArray(result) ? result.map(pick) : pick(result as Record<Name, unknown>))
    },
  }
}
