import { AppError } from '@qd/core/errors'
import { plainLines } from '@qd/core/fields'
import { type Compiled, compileFilter } from './jq/evaluate.ts'
import { textFrom } from './jq/values.ts'
import { escapeJson } from './json.ts'

/** Writes a value of a command as `--jq` or `--template` says. */
export type WriteValue = (value: unknown, output: { isTTY: boolean }) => string

/** Reads `--jq` and `--template` before anything is sent (behaviour C-06). Errors: `usage`. */
export function createFilter({ jq, template }: { jq: string | undefined; template: string | undefined }): WriteValue {
  if (jq !== undefined && template !== undefined) throw new AppError('usage', { reason: 'filteredTwice' })
  return jq === undefined ? templateWriter(template ?? '') : filterWriter(compileFilter(jq))
}

/** Every value on a line of its own: texts as they are, the rest as JSON. */
function filterWriter(filter: Compiled): WriteValue {
  return (value, { isTTY }) =>
    filter(value)
      .map((result) =>
        typeof result === 'string'
          ? `${shown(result, isTTY)}\n`
          : `${escapeJson(JSON.stringify(result ?? null, null, isTTY ? 2 : undefined))}\n`,
      )
      .join('')
}

/** A line for each record; what stands in `{{…}}` is a filter of the record. */
function templateWriter(template: string): WriteValue {
  const pieces = template.split(/\{\{(.*?)\}\}/s)
  const stray = pieces.filter((_, index) => index % 2 === 0).find((text) => /\{\{|\}\}/.test(text))
  if (stray !== undefined)
    throw new AppError('usage', {
      reason: 'badFilter',
      part: stray.slice(stray.search(/\{\{|\}\}/)),
      try: 'qd help output',
    })
  const parts = pieces.map((part, index) => (index % 2 === 1 ? compileFilter(part) : unescaped(part)))
  const line = (record: unknown) =>
    parts.map((part) => (typeof part === 'string' ? part : part(record).map(cell).join(', '))).join('')
  return (value, { isTTY }) =>
    (Array.isArray(value) ? value : [value]).map((record) => `${shown(line(record), isTTY)}\n`).join('')
}

/** The fields of a record that the parts of a template begin with, such as `name` of `{{.name | length}}`. */
export function templateFields(template: string): string[] {
  return [...template.matchAll(/\{\{\s*\.([A-Za-z_]\w*)/g)].map(([, field]) => field!)
}

function cell(value: unknown): string {
  return value === null || value === undefined ? '' : textFrom(value)
}

function unescaped(text: string): string {
  return text.replace(/\\([nt\\])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 't' ? '\t' : '\\'))
}

/** On a terminal no text of the data has power over it (behaviour T-17). */
function shown(text: string, isTTY: boolean): string {
  return isTTY ? plainLines(text) : text
}
