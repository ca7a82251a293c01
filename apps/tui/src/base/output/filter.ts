import { AppError } from '@qd/core/errors'
import { plainLines } from '@qd/core/fields'
import type { Jq } from 'jq-wasm/inline'
import { escapeJson } from './json.ts'

export type WriteValues = (values: readonly unknown[], output: { isTTY: boolean; isIndented: boolean }) => string

/** Parses `--jq` and `--template` before anything is sent (behaviour C-06). Errors: `usage`. */
export async function createFilter(
  { jq, template }: { jq: string | undefined; template: string | undefined },
  loadJq: () => Promise<Jq>,
): Promise<WriteValues> {
  if (jq !== undefined && template !== undefined) throw new AppError('usage', { reason: 'filteredTwice' })
  return jq === undefined ? templateWriter(template ?? '', loadJq) : filterWriter(await loadJq(), jq)
}

function filterWriter(jq: Jq, filter: string): WriteValues {
  const apply = compile(jq, filter)
  return (values, { isTTY, isIndented }) =>
    apply(values)
      .map((result) =>
        typeof result === 'string'
          ? `${shown(result, isTTY)}\n`
          : `${escapeJson(JSON.stringify(result, null, isIndented ? 2 : undefined))}\n`,
      )
      .join('')
}

/** One line per record; `{{…}}` holds a filter. */
async function templateWriter(template: string, loadJq: () => Promise<Jq>): Promise<WriteValues> {
  const pieces = template.split(/\{\{(.*?)\}\}/s)
  const stray = pieces.filter((_, index) => index % 2 === 0).find((text) => /\{\{|\}\}/.test(text))
  if (stray !== undefined)
    throw new AppError('usage', {
      reason: 'badFilter',
      part: stray.slice(stray.search(/\{\{|\}\}/)),
      try: 'qd help output',
    })
  const jq = await loadJq()
  const parts = pieces.map((part, index) => (index % 2 === 1 ? compile(jq, part, true) : unescaped(part)))
  return (values, { isTTY }) => {
    const records = values.flat()
    const columns = parts.map((part) => (typeof part === 'string' ? part : part(records)))
    const cells = (index: number) =>
      columns.map((column) => (typeof column === 'string' ? column : [column[index] ?? []].flat().map(cell).join(', ')))
    return records.map((_, index) => `${shown(cells(index).join(''), isTTY)}\n`).join('')
  }
}

/** Checks a filter and returns a function to its results, as one list or with `perValue` a list each. Errors: `usage`. */
function compile(jq: Jq, filter: string, perValue = false): (values: readonly unknown[]) => readonly unknown[] {
  const part = filter.trim() || '.'
  const run = (input: string, program: string, reason: 'badFilter' | 'filterFailed') => {
    // Text after `--` is a program, even if it begins with `-`.
    const { stdout, stderr, exitCode } = jq.raw(input, program, ['-c', '--'])
    if (exitCode !== 0) throw new AppError('usage', { reason, part, lines: [complaint(stderr)] })
    return stdout.split('\n').flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]))
  }
  // A trailing comment must not swallow the bracket.
  const program = perValue ? `[${part}\n]` : part
  // Without input jq only parses. Checks the part itself too: `.a] | [.b` is valid only in brackets.
  for (const one of new Set([part, program])) run('', one, 'badFilter')
  return (values) => (values.length === 0 ? [] : run(values.map(jsonText).join('\n'), program, 'filterFailed'))
}

/** jq refuses lone surrogates, which servers may return. */
const jsonText = (value: unknown) =>
  JSON.stringify(value ?? null).replace(/(\\\\)|\\ud[89a-f][0-9a-f]{2}/g, (_, escaped?: string) => escaped ?? '\\ufffd')

function complaint(stderr: string): string {
  const [, text = stderr] = /^jq: error(?: \([^)]*\))*: (.*)/m.exec(stderr) ?? []
  return text.replace(' at <top-level>, line 1,', ' at').replace('<top-level>, ', '').replace(/:$/, '').trim()
}

/** Fields that a template reads, such as `name` of `{{.name | length}}`. */
export function templateFields(template: string): string[] {
  return [...template.matchAll(/\{\{\s*\.([A-Za-z_]\w*)/g)].flatMap(([, field]) => field ?? [])
}

function cell(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

function unescaped(text: string): string {
  return text.replace(/\\([nt\\])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign === 't' ? '\t' : '\\'))
}

function shown(text: string, isTTY: boolean): string {
  return isTTY ? plainLines(text) : text
}
