import { type AnyRow, type Field, fieldValue, type KindValue, type Resource, type View } from '@qd/core/define'
import { inputText, isNumeric, machineValue, plainText } from '@qd/core/fields'
import { isPrinted, machineText } from '../../output/cells.ts'
import { renderTable, type TableCell, type TableColumn } from '../../output/table.ts'
import { toYaml } from '../../output/yaml.ts'
import type { Cli } from '../cli.ts'
import { fieldOf, jsonFields, type OutputChoice } from '../flags/output-flags.ts'
import type { Records } from '../records.ts'
import { printTable } from './show-person.ts'

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
  const values = names.map((name) => [
    name,
    machineValue(fieldOf(resource, name), fieldValue(resource, row, name, view)),
  ])
  return Object.fromEntries(values)
}

/** Writes rows as the output choice says. `total`: how many there are without the filter, for the last line on a terminal. */
export async function printRows(cli: Cli, shown: Shown, choice: OutputChoice, total: number): Promise<void> {
  const { resource, rows, records } = shown
  const { stdout } = cli.io
  if (!('header' in choice)) {
    const values = await records.read((view) => rows.map((row) => recordJson(resource, row, choice.fields, view)))
    return printValues(cli, choice.kind, values)
  }
  if (choice.kind === 'table' && stdout.isTTY) {
    return printTable(cli, shown, { header: choice.header, total, isWide: choice.isWide === true })
  }
  const fields = tableFields(resource)
  const texts = await records.read((view) =>
    rows.map((row) => fields.map((name) => machineCell(resource, row, name, view))),
  )
  const lines =
    choice.kind === 'plain'
      ? tabbed(fields, texts, choice.header)
      : aligned(cli, resource, fields, texts, choice.header)
  stdout.write(lines.map((line) => `${line}\n`).join(''))
}

/** Writes records, or a single one, for programs. */
export function printValues(
  cli: Cli,
  kind: Exclude<OutputChoice['kind'], 'table' | 'plain'>,
  values: Record<string, unknown> | readonly Record<string, unknown>[],
): void {
  const list = (Array.isArray(values) ? values : [values]) as readonly Record<string, unknown>[]
  if (kind === 'json') cli.json(values)
  else if (kind === 'jsonl') cli.jsonl(list)
  else if (kind === 'yaml') cli.io.stdout.write(toYaml(values))
  else for (const value of list) cli.print(plainText(String(Object.values(value)[0])))
}

type Texts = readonly (readonly (string | null)[])[]

function tabbed(fields: readonly string[], texts: Texts, header: boolean): string[] {
  return [...(header ? [fields] : []), ...texts].map((row) => row.map((text) => text ?? '').join('\t'))
}

function aligned({ out }: Cli, resource: Resource, fields: readonly string[], texts: Texts, header: boolean): string[] {
  const rows = texts.map((row) => row.map((text): TableCell => ({ text: text ?? '', tone: 'plain' })))
  const columns = fields.map((name) => columnOf(resource, name, name.toUpperCase()))
  return renderTable({ columns, rows, width: null, header, style: out })
}

/** Columns of a printed table: id first, how the record stands last. */
export function tableFields(resource: Resource): string[] {
  const columns = resource.columns
    .filter(({ field, show }) => show !== 'detail' && isPrinted(fieldOf(resource, field)))
    .map(({ field }) => field)
  const state = resource.state && !columns.includes(resource.state.field) ? [resource.state.field] : []
  return [...(resource.wire.shape === 'many' ? ['id'] : []), ...columns.filter((name) => name !== 'id'), ...state]
}

/** A column under this head: id, title and state are never left out. */
export function columnOf(resource: Resource, name: string, head: string): TableColumn {
  const keep = name === 'id' || name === resource.title || name === resource.state?.field
  const cut = name === resource.title ? 'middle' : 'end'
  return { head, keep, cut, align: isNumeric(fieldOf(resource, name).kind) ? 'right' : 'left' }
}

/** True where a secret is known to be stored: it never comes with the record, but the record may say that it has one or cannot go without. */
export function isStored({ needed, has }: Extract<Field, { kind: 'secret' }>, row: AnyRow, value: unknown): boolean {
  return needed === true || (has === undefined ? value !== '' : row[has] === true)
}

/** A value for programs that read text: references by title, secrets never. */
export function machineCell(resource: Resource, row: AnyRow, name: string, view: View): string | null {
  const field = fieldOf(resource, name)
  const value = fieldValue(resource, row, name, view)
  if (field.kind === 'secret') return isStored(field, row, value) ? 'set' : null
  if (field.kind === 'rules') return inputText(field, value, { fieldName: name, view }).replaceAll('\n', '; ') || null
  if (field.kind === 'reading') return readingText(value as KindValue['reading'])
  if (field.kind !== 'ref' && field.kind !== 'refs') return machineText(field, value)
  const ids = (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number' && id > 0)
  return ids.length === 0 ? null : ids.map((id) => plainText(view.title(field.to, id) ?? `#${id}`)).join(',')
}

/** `cpu 97.3 limit 90`, as far as it is known. */
function readingText(reading: KindValue['reading']): string | null {
  if (reading === null) return null
  const { metric, value, limit } = reading
  return [metric, value ?? '', limit === null ? '' : `limit ${limit}`].filter((part) => part !== '').join(' ')
}
