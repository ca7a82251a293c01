import type { Resource } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { recordJson } from '@qd/core/view'
import { renderTable, type TableCell } from '../../../base/output/table.ts'
import type { Cli } from '../cli.ts'
import type { OutputChoice } from '../flags/output-flags.ts'
import { printTable } from './show-person.ts'
import { columnOf, machineCell, type Shown, tableFields } from './shown.ts'

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
  const lines = await machineLines(cli, { resource, rows, records }, choice)
  stdout.write(lines.map((line) => `${line}\n`).join(''))
}

export async function machineLines(
  cli: Cli,
  { resource, rows, records }: Shown,
  { kind, header }: Pick<Extract<OutputChoice, { header: boolean }>, 'kind' | 'header'>,
): Promise<string[]> {
  const fields = tableFields(resource)
  const texts = await records.read((view) =>
    rows.map((row) => fields.map((name) => machineCell(resource, row, name, view))),
  )
  return kind === 'plain' ? tabbed(fields, texts, header) : aligned(cli, resource, fields, texts, header)
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

type Texts = readonly (readonly (string | null)[])[]

function tabbed(fields: readonly string[], texts: Texts, header: boolean): string[] {
  return [...(header ? [fields] : []), ...texts].map((row) => row.map((text) => text ?? '').join('\t'))
}

function aligned({ out }: Cli, resource: Resource, fields: readonly string[], texts: Texts, header: boolean): string[] {
  const rows = texts.map((row) => row.map((text): TableCell => ({ text: text ?? '', tone: 'plain' })))
  const columns = fields.map((name) => columnOf(resource, name, name.toUpperCase()))
  return renderTable({ columns, rows, width: null, header, style: out })
}
