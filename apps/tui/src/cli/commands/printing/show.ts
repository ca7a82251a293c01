import { type DryRun, describeCalls } from '@qd/core/actions'
import type { Records } from '@qd/core/api'
import { type AnyRow, fieldKey, fieldOf, isSupported, type Resource, type Tone } from '@qd/core/define'
import { isNumeric, plainLines, plainText } from '@qd/core/fields'
import {
  isPrinted,
  isStored,
  presentCell,
  printedFields,
  recordJson,
  recordText,
  rowStatus,
  type Surface,
} from '@qd/core/view'
import { escapeJson } from '../../../base/output/json.ts'
import { labeledLines, renderTable, type TableColumn } from '../../../base/output/table.ts'
import { type Cli, nobody, type OutputChoice } from '../command.ts'

export function countLine({ translator }: Cli, { resource, rows }: Shown, total: number): string {
  const { t, say } = translator
  return t('ui.cli.list.count', { shown: rows.length, total, many: say(`resources.${resource.name}.many`) })
}

export async function tableLines(
  cli: Cli,
  { resource, rows, records }: Shown,
  { header, isWide }: { header: boolean; isWide: boolean },
): Promise<string[]> {
  const { io, out, say, language } = cli
  const surface = await surfaceOf(cli, resource)
  const { fields, cells } = await records.read((view) => {
    const fields = printedFields(resource, view)
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
      if (!cli.io.stdout.isTTY) return [[name, recordText(resource, row!, name, view) ?? 'null'] as const]
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
  return { translator, format, viewer: targets ? await viewer() : nobody }
}

function personCell(
  surface: Surface,
  { resource, row, name }: { resource: Resource; row: AnyRow; name: string },
): { text: string; tone: Tone; full?: string } {
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

export async function printRows(cli: Cli, shown: Shown, choice: OutputChoice, total: number): Promise<void> {
  const { resource, rows, records } = shown
  const { stdout } = cli.io
  if (!('header' in choice)) {
    const values = await records.read((view) => rows.map((row) => recordJson(resource, row, choice.fields, view)))
    return printValues(cli, choice.kind, values)
  }
  if (choice.kind === 'table' && stdout.isTTY) {
    await cli.texts()
    for (const line of await tableLines(cli, shown, { isWide: false, ...choice })) cli.print(line)
    return cli.note(cli.err.paint('muted', countLine(cli, shown, total)))
  }
  const lines = await machineLines(cli, { resource, rows, records }, choice)
  stdout.write(lines.map((line) => `${line}\n`).join(''))
}

export async function machineLines(
  cli: Cli,
  { resource, rows, records }: Shown,
  { kind, header }: Pick<Extract<OutputChoice, { header: boolean }>, 'kind' | 'header'>,
): Promise<string[]> {
  const fields = printedFields(resource)
  const cells = await records.read((view) =>
    rows.map((row) => fields.map((name) => recordText(resource, row, name, view) ?? '')),
  )
  if (kind === 'plain') return [...(header ? [fields] : []), ...cells].map((row) => row.join('\t'))
  const columns = fields.map((name) => columnOf(resource, name, name.toUpperCase()))
  return renderTable({ columns, rows: cells, header, style: cli.out })
}

export async function printValues(
  cli: Cli,
  kind: Exclude<OutputChoice['kind'], 'table' | 'plain'>,
  values: Record<string, unknown> | readonly Record<string, unknown>[],
): Promise<void> {
  const list = (Array.isArray(values) ? values : [values]) as readonly Record<string, unknown>[]
  if (kind === 'json') cli.json(values)
  else if (kind === 'jsonl') cli.jsonl(list)
  else if (kind === 'yaml') cli.io.stdout.write((await cli.io.libraries.yaml()).toYaml(values))
  else for (const value of list) cli.print(plainText(String(Object.values(value)[0])))
}

export interface Shown {
  resource: Resource
  rows: readonly AnyRow[]
  records: Pick<Records, 'read'>
}

function columnOf(resource: Resource, name: string, head: string): TableColumn {
  const keep = name === 'id' || name === resource.title || name === resource.state?.field
  const cut = name === resource.title ? 'middle' : 'end'
  return { head, keep, cut, align: isNumeric(fieldOf(resource, name).kind) ? 'right' : 'left' }
}

export function printDryRun(
  cli: Cli,
  dry: { api: Pick<DryRun, 'calls'>; notes: readonly string[]; json: boolean; targets?: unknown },
): void {
  const { api, notes, json, targets } = dry
  const calls = describeCalls(api)
  if (json) cli.json({ dry_run: true, calls, ...(targets === undefined ? {} : { targets }) })
  else {
    for (const { method, path, body } of calls)
      cli.print(
        [`${method} ${path}`, body === undefined ? '' : escapeJson(JSON.stringify(body))].filter(Boolean).join('   '),
      )
    for (const line of notes) cli.print(plainText(line))
  }
  cli.note(cli.t('ui.cli.dryRun.nothing'))
}
