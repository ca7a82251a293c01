import { againWith } from '@qd/core/actions'
import {
  createRecords,
  demandSelection,
  filterOf,
  hostsNamed,
  isIn,
  narrowed,
  oneNamed,
  pageOf,
  type Records,
  readSelection,
} from '@qd/core/api'
import { type AnyRow, fieldOf, type Resource, type ResourceName, type View } from '@qd/core/define'
import { AppError, usageError } from '@qd/core/errors'
import { optionFlag } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import { selectedFields } from '@qd/core/targets'
import { hostSummary, isReadWhole, jsonFields, parseSort, printedFields, recordJson, sortRows } from '@qd/core/view'
import {
  aboutResource,
  type Cli,
  type Command,
  type Flag,
  type FlagValues,
  numberFlag,
  type OutputChoice,
  partlyCode,
  textFlag,
  wordsIn,
} from './command.ts'
import { hostFlags, idsFlag, listFlags, outputChoice, recordFlags, selectFlag } from './flags/flags.ts'
import { namedRows } from './pick.ts'
import { printDetail } from './printing/print-detail.ts'
import { printRecord, printRows, printValues } from './printing/show.ts'

export function listCommand(resource: Resource): Command {
  const { name } = resource
  const sortable = { kind: 'words', words: () => jsonFields(resource) } as const
  return {
    name: 'ls',
    help: aboutResource('ui.cli.commands.ls', resource),
    args: '[query]',
    values: { kind: 'query', of: name },
    flags: [
      ...listFlags(resource),
      selectFlag(name),
      idsFlag(name),
      ...filterFlags(resource),
      ...hostFlags(resource),
      { flags: '--sort <field>', help: 'ui.cli.flags.sort', values: sortable },
      { flags: '--limit <n>', help: 'ui.cli.flags.limit' },
      { flags: '-w, --watch', help: 'ui.cli.flags.watch' },
      ...(resource.host ? [{ flags: '--fail-if-any', help: 'ui.cli.flags.failIfAny' }] : []),
    ],
    examples: [
      `${name} ls`,
      `${name} ls --json id,${resource.title}`,
      ...(resource.facet ? [`${name} ls '${exampleSelection(resource)}'`] : []),
    ],
    textsLater: true,
    async run(cli, [words], flags) {
      const choice = await outputChoice(cli, resource, flags)
      const sort = parseSort(resource, textFlag(flags, 'sort'))
      const limit = numberFlag(flags, 'limit', { usual: Number.POSITIVE_INFINITY, reason: 'badCount' })
      const given = textFlag(flags, 'select')
      const text = [words, given].filter((part) => part !== undefined && part.trim() !== '').join(' ')
      const selection = text !== '' || given !== undefined ? demandSelection(resource, text, 'leaveOut') : null
      const fields = [
        sort.field,
        ...(('fields' in choice && choice.fields) || []),
        ...(selection ? selectedFields(selection) : []),
      ]
      const { watch } = cli.program
      if (flags.watch && watch) return watch(cli, { resource, text, sort, limit, choice, flags, fields })
      const unread = { hosts: 0 }
      const records = await recordsOf(cli, flags, unread)
      await records.ask(resource, fields)
      const named = textFlag(flags, 'ids')
      const states = statesOf(resource, flags, records.view())
      const list = () => records.list(resource, { ...pageOf(resource, { text, sort, most: limit }), ...states })
      const listed =
        named === undefined ? list() : namedRows({ cli, resource, records, text: named, empty: 'leaveOut' })
      const [all] = await Promise.all([listed, records.prepare(namedBy(resource, choice))])
      const within = all.filter((row) => isIn(states, row))
      // The server has already filtered, unless it doesn't know the selection language.
      const chosen = text === '' ? within : await narrowed({ resource, records, text, rows: within })
      const sorted = await records.read((view) => sortRows(resource, chosen, sort, view))
      const rows = sorted.slice(0, limit)
      await printRows(cli, { resource, rows, records }, choice, records.count(resource))
      if (flags.failIfAny !== true) return undefined
      return rows.length > 0 ? foundCode : unread.hosts > 0 ? partlyCode : undefined
    },
  }
}

export function getCommand(resource: Resource): Command {
  const { name, wire } = resource
  const one = wire.shape === 'one'
  const example = resource.host ? `web-1/${resource.host.example}` : 7
  return {
    name: 'get',
    help: aboutResource('ui.cli.commands.get', resource, 'one'),
    ...(one ? {} : { args: '[names...]', argHelp: { names: 'ui.cli.args.each' } }),
    ...(one ? {} : { values: { kind: 'records', of: name } as const }),
    flags: [...recordFlags(resource), ...hostFlags(resource)],
    examples: one
      ? [`${name} get`, `${name} get --json ${resource.title}`]
      : [`${name} get ${example}`, `${name} get ${example} --json id,${resource.title}`],
    async run(cli, args, flags) {
      const choice = await outputChoice(cli, resource, flags)
      const words = [...new Set(wordsIn(args))]
      const records = await recordsNamed(cli, resource, { words, flags })
      const rows: AnyRow[] = []
      for (const word of words.length > 0 ? words : [undefined])
        rows.push(await findOne(resource, records, word, 'get'))
      if (!('header' in choice)) {
        const values = await records.read((view) => rows.map((row) => recordJson(resource, row, choice.fields, view)))
        await printValues(cli, choice.kind, rows.length === 1 ? (values[0] ?? {}) : values)
        return undefined
      }
      for (const [index, row] of rows.entries()) {
        if (index > 0) cli.print('')
        await printRecord(cli, { resource, rows: [row], records })
        await printDetail(cli, { resource, row, records })
      }
    },
  }
}

/** Resources referenced by the output, fetched in parallel with the list. */
function namedBy(resource: Resource, choice: OutputChoice): ResourceName[] {
  const isText = 'header' in choice
  const fields = isText ? printedFields(resource) : (choice.fields ?? jsonFields(resource))
  const names = fields.flatMap((name) => {
    const field = fieldOf(resource, name)
    return (field.kind === 'ref' || field.kind === 'refs') && (isText || name in resource.derived) ? [field.to] : []
  })
  return [...new Set(names)]
}

/** As `oneNamed`. Errors: also `usage` without a word. */
export function findOne(resource: Resource, records: Records, word: string | undefined, verb: string): Promise<AnyRow> {
  const command = `qd ${resource.name} ${verb}`
  if (word === undefined && resource.wire.shape === 'many')
    throw usageError('missingArgument', { name: 'name', try: `${command} --help` })
  return oneNamed(resource, records, word ?? '', againWith(command))
}

const foundCode = 1

/** The records of this run's connection for words: of `web-1/nginx` only that server is read, unless `--on` says more. Errors: those of the call. */
export async function recordsNamed(
  cli: Cli,
  { host }: Resource,
  { words, flags }: { words: readonly string[]; flags: FlagValues },
): Promise<Records> {
  const isOpen = host && textFlag(flags, 'on') === undefined
  const on = isOpen ? await hostsNamed(await recordsOf(cli), words) : null
  return recordsOf(cli, on === null ? flags : { ...flags, on })
}

/** Of hosts those on the servers of `--on`; `unread` counts hosts that weren’t read. Errors: `notFound` without such a server. */
export async function recordsOf(cli: Cli, flags: FlagValues = {}, unread = { hosts: 0 }): Promise<Records> {
  const on = textFlag(flags, 'on')
  if (on !== undefined) readSelection(server, on)
  const connection = await cli.connect()
  const records = createRecords({
    connection,
    on: on ?? '',
    async hosts(entries) {
      if (entries.length === 0 && on) throw new AppError('notFound', { name: on, try: 'qd server ls' })
      // A host without what is read has none of it.
      unread.hosts += entries.filter((entry) => !isReadWhole(entry) && entry.state !== 'not supported').length
      const translator = await cli.texts()
      const { lines } = await records.read((view) => hostSummary(entries, view, translator))
      for (const { text } of lines) cli.warn(text)
    },
    async warn({ name }, reason) {
      const { t } = await cli.texts()
      cli.warn(t('ui.cli.list.badRow', { name, reason }))
    },
  })
  return records
}

/** The records of these states, of a list that has such a flag. Errors: `invalid`. */
export const statesOf = (resource: Resource, flags: FlagValues, view: View): Record<string, string> =>
  filterOf(resource, textFlag(flags, resource.wire.filter ?? ''), view)

function filterFlags({ wire: { filter }, fields }: Resource): Flag[] {
  const field = filter === null ? undefined : fields[filter]
  if (field?.kind !== 'choice') return []
  const words = () => Object.keys(field.options).map(optionFlag)
  return [{ flags: `--${filter} <list>`, help: 'ui.cli.flags.filter', values: { kind: 'words', words, many: true } }]
}

function exampleSelection({ facet, fields }: Resource): string {
  const field = fields[facet!]
  const [option = ''] = field?.kind === 'choice' ? Object.keys(field.options) : []
  return `${facet}:${option}`
}
