import { type AnyRow, type Field, fieldKey, fieldValue, type Resource, type View } from '@qd/core/define'
import { isNumeric, machineValue, plainText } from '@qd/core/fields'
import { presentCell, rowStanding, type Surface } from '@qd/core/view'
import { isPrinted, machineText } from '../output/cells.ts'
import { jsonDocument, jsonLines } from '../output/encode.ts'
import { renderTable, type TableCell, type TableColumn } from '../output/table.ts'
import type { Cli } from './cli.ts'
import { jsonFields, type OutputChoice } from './output-flags.ts'
import type { Records } from './records.ts'

/** Rows of one resource and the records around them. */
export interface Shown {
  resource: Resource
  rows: readonly AnyRow[]
  records: Records
}

/** A record as `--json` writes it: the named fields in the order given, or all. */
export function recordJson(
  resource: Resource,
  row: AnyRow,
  fields: readonly string[] | null,
  view: View,
): Record<string, unknown> {
  const names = fields ?? jsonFields(resource)
  return Object.fromEntries(
    names.map((name) => [name, machineValue(fieldOf(resource, name), fieldValue(resource, row, name, view))]),
  )
}

/** Writes rows as the output choice says. `total`: how many there are besides the shown ones, for the last line on a terminal. */
export async function printRows(
  cli: Cli,
  { resource, rows, records }: Shown,
  choice: OutputChoice,
  total: number,
): Promise<void> {
  const { io } = cli
  if (!('header' in choice)) {
    if (choice.kind === 'list') return
    const values = await records.read((view) => rows.map((row) => recordJson(resource, row, choice.fields, view)))
    io.stdout.write(choice.kind === 'json' ? jsonDocument(values, io.stdout) : jsonLines(values))
    return
  }
  const fields = tableFields(resource)
  const { header } = choice
  const write = (lines: readonly string[]) => io.stdout.write(lines.map((line) => `${line}\n`).join(''))
  if (choice.kind === 'plain' || !io.stdout.isTTY) {
    const texts = await records.read((view) =>
      rows.map((row) => fields.map((name) => machineCell(resource, row, name, view))),
    )
    const isPlain = choice.kind === 'plain'
    if (isPlain)
      return write(
        [...(header ? [fields] : []), ...texts.map((row) => row.map((text) => text ?? ''))].map((row) =>
          row.join('\t'),
        ),
      )
    const cells = texts.map((row) => row.map((text): TableCell => ({ text: text ?? 'null', tone: 'plain' })))
    const columns = fields.map((name) => columnOf(resource, name, name.toUpperCase()))
    return write(renderTable({ columns, rows: cells, width: null, header, style: cli.out }))
  }
  const columns = fields.map((name) =>
    columnOf(resource, name, cli.translator.say(fieldKey(resource, name)).toLocaleUpperCase(cli.translator.language)),
  )
  const surface = await surfaceOf(cli, resource)
  const cells = await records.read((view) =>
    rows.map((row) => fields.map((name) => personCell({ ...surface, view }, { resource, row, name }))),
  )
  write(renderTable({ columns, rows: cells, width: io.stdout.columns, header, style: cli.out }))
  const many = cli.translator.say(`resources.${resource.name}.many`)
  cli.note(cli.err.paint('muted', cli.translator.t('ui.cli.list.count', { shown: rows.length, total, many })))
}

/** Writes one record, a line for each of its values. */
export async function printRecord(cli: Cli, { resource, rows: [row], records }: Shown): Promise<void> {
  const names = ['id', ...Object.keys(resource.fields)].filter((name, index, all) => {
    const field = fieldOf(resource, name)
    return (
      all.indexOf(name) === index &&
      !field.hidden &&
      isPrinted(field) &&
      (name !== 'id' || resource.wire.shape === 'many')
    )
  })
  const { translator, out, io } = cli
  const surface = await surfaceOf(cli, resource)
  const lines = await records.read((view) =>
    names.map((name) => {
      if (!io.stdout.isTTY) return [name, machineCell(resource, row!, name, view) ?? 'null'] as const
      const cell = personCell({ ...surface, view }, { resource, row: row!, name })
      return [translator.say(fieldKey(resource, name)), cell.full ?? cell.text] as const
    }),
  )
  const columns: TableColumn[] = [
    { head: '', align: 'left', keep: true },
    { head: '', align: 'left', keep: true },
  ]
  const rows = lines.flatMap(([label, text]): TableCell[][] =>
    text.split('\n').map((line, index) => [
      { text: index === 0 ? label : '', tone: 'muted' },
      { text: line, tone: 'plain' },
    ]),
  )
  for (const line of renderTable({ columns, rows, width: null, header: false, style: out })) cli.print(line)
}

/** Who looks is asked only where it decides what is shown: the reach of a record without a known owner. */
async function surfaceOf(cli: Cli, { reach }: Resource): Promise<Omit<Surface, 'view'>> {
  const { translator, format } = cli
  const connection = await cli.connect()
  return {
    translator,
    format,
    viewer: reach ? await connection.viewer() : { id: 0, username: '', role: 0, scopes: null },
  }
}

/** Columns of a printed table: id first, how the record stands last. */
function tableFields(resource: Resource): string[] {
  const columns = resource.columns
    .filter(({ field, show }) => show !== 'detail' && isPrinted(fieldOf(resource, field)))
    .map(({ field }) => field)
  const state = resource.state && !columns.includes(resource.state.field) ? [resource.state.field] : []
  return [...(resource.wire.shape === 'many' ? ['id'] : []), ...columns.filter((name) => name !== 'id'), ...state]
}

function fieldOf(resource: Resource, name: string): Field {
  return resource.fields[name] ?? { kind: 'number' }
}

function columnOf(resource: Resource, name: string, head: string): TableColumn {
  const keep = name === 'id' || name === resource.title || name === resource.state?.field
  return { head, keep, align: isNumeric(fieldOf(resource, name).kind) ? 'right' : 'left' }
}

function machineCell(resource: Resource, row: AnyRow, name: string, view: View): string | null {
  const field = fieldOf(resource, name)
  const value = fieldValue(resource, row, name, view)
  if (field.kind !== 'ref' && field.kind !== 'refs') return machineText(field, value)
  const ids = (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number' && id > 0)
  return ids.length === 0 ? null : ids.map((id) => plainText(view.title(field.to, id) ?? `#${id}`)).join(',')
}

function personCell(
  surface: Surface,
  { resource, row, name }: { resource: Resource; row: AnyRow; name: string },
): TableCell & { full?: string } {
  if (name === 'id') return { text: String(row.id), tone: 'muted' }
  const standing = resource.state?.field === name ? rowStanding(surface, resource, row) : null
  if (standing) {
    const because = standing.absence ?? [standing.word, standing.cause].filter(Boolean).join(', ')
    return { text: because, tone: standing.tone }
  }
  const { text, tone, full } = presentCell(surface, { resource, row, field: name })
  return { text, tone, ...(full === undefined ? {} : { full }) }
}
