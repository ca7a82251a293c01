import { type AnyRow, fieldKey, fieldOf, isSupported, type Resource } from '@qd/core/define'
import { plainLines, plainText } from '@qd/core/fields'
import { presentCell, rowStatus, type Surface } from '@qd/core/view'
import { isPrinted, labeledLines, renderTable, type TableCell } from '../../../base/output/table.ts'
import type { Cli } from '../cli.ts'
import { columnOf, isStored, machineCell, type Shown, tableFields } from './shown.ts'

export interface TableChoice {
  header: boolean
  isWide: boolean
}

export async function printTable(cli: Cli, shown: Shown, choice: TableChoice & { total: number }): Promise<void> {
  await cli.texts()
  for (const line of await tableLines(cli, shown, choice)) cli.print(line)
  cli.note(cli.err.paint('muted', countLine(cli, shown, choice.total)))
}

export function countLine({ translator }: Cli, { resource, rows }: Shown, total: number): string {
  const { t, say } = translator
  return t('ui.cli.list.count', { shown: rows.length, total, many: say(`resources.${resource.name}.many`) })
}

export async function tableLines(
  cli: Cli,
  { resource, rows, records }: Shown,
  { header, isWide }: TableChoice,
): Promise<string[]> {
  const { io, out } = cli
  const { say, language } = cli.translator
  const surface = await surfaceOf(cli, resource)
  const { fields, cells } = await records.read((view) => {
    const fields = tableFields(resource, view)
    const cellsOf = (row: AnyRow) => fields.map((name) => personCell({ ...surface, view }, { resource, row, name }))
    return { fields, cells: rows.map(cellsOf) }
  })
  const columns = fields.map((name) =>
    columnOf(resource, name, say(fieldKey(resource, name)).toLocaleUpperCase(language)),
  )
  return renderTable({ columns, rows: cells, width: isWide ? null : io.stdout.columns, header, style: out })
}

export async function printRecord(cli: Cli, { resource, rows: [row], records }: Shown): Promise<void> {
  const { say } = await cli.texts()
  const names = Object.keys(resource.fields).filter((name) => {
    const field = fieldOf(resource, name)
    return (
      !field.hidden && !field.formOnly && isPrinted(field) && (name in resource.derived || row![name] !== undefined)
    )
  })
  const surface = await surfaceOf(cli, resource)
  const lines = await records.read((view) =>
    names.flatMap((name) => {
      if (!cli.io.stdout.isTTY) return [[name, machineCell(resource, row!, name, view) ?? 'null'] as const]
      if (!isSupported(resource.fields[name], view)) return []
      const { text, full = text } = personCell({ ...surface, view }, { resource, row: row!, name })
      return [[say(fieldKey(resource, name)), full] as const]
    }),
  )
  for (const line of labeledLines(lines, cli.out)) cli.print(line)
}

/** Fetches the viewer only if needed: for the targets of a record without a known owner. */
async function surfaceOf(cli: Cli, { targets }: Resource): Promise<Omit<Surface, 'view'>> {
  const { translator, format } = cli
  const { viewer } = await cli.connect()
  return { translator, format, viewer: targets ? await viewer() : { id: 0, username: '', role: 0, scopes: null } }
}

function personCell(
  surface: Surface,
  { resource, row, name }: { resource: Resource; row: AnyRow; name: string },
): TableCell & { full?: string } {
  if (name === 'id') return { text: String(row.id), tone: 'muted' }
  const status = resource.state?.field === name ? rowStatus(surface, resource, row) : null
  if (status) {
    const text = status.absence ?? [status.word, status.cause].filter(Boolean).join(', ')
    return { text: plainText(text), tone: status.tone }
  }
  const field = fieldOf(resource, name)
  const stored = field.kind === 'secret' && { value: isStored(field, row, row[name]) ? name : '' }
  const { text, tone, full } = presentCell(surface, { resource, row, field: name, ...stored })
  return { text: plainText(text), tone, ...(full === undefined ? {} : { full: plainLines(full) }) }
}
