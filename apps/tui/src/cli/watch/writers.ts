import { type AnyRow, titleOf, type View } from '@qd/core/define'
import { recordJson } from '@qd/core/view'
import type { Cli } from '../commands/cli.ts'
import { countLine, machineLines, printValues, tableLines } from '../commands/printing/show.ts'
import type { WatchedList } from '../commands/read.ts'

/** `isFull`: truncated, so missing rows may still exist. */
export interface Snapshot {
  rows: readonly AnyRow[]
  total: number
  view: View
  isFull: boolean
}

export interface Writer {
  write(now: Snapshot): Promise<void>
  /** Other output came in between: start a new table below. */
  restart(): void
}

/** A table redrawn in place on a terminal; otherwise each row once, and again when its output changes. */
export function createWriter(cli: Cli, watched: WatchedList): Writer {
  const { choice } = watched
  return choice.kind === 'table' && cli.io.stdout.isTTY ? drawnInPlace(cli, watched) : lineByLine(cli, watched)
}

function drawnInPlace(cli: Cli, { resource, choice }: WatchedList): Writer {
  const { stdout } = cli.io
  let drawn: readonly string[] = []
  let columns = stdout.columns
  const isWide = 'isWide' in choice && choice.isWide === true
  const header = 'header' in choice && choice.header
  return {
    async write({ rows, total, view }) {
      const shown = { resource, rows, records: { read: async <T>(take: (view: View) => T) => take(view) } }
      const room = Math.max(1, stdout.rows - (header ? 3 : 2))
      const table = await tableLines(cli, { ...shown, rows: rows.slice(0, room) }, { header, isWide })
      const lines = [...table, cli.out.paint('muted', countLine(cli, { ...shown, rows: rows.slice(0, room) }, total))]
      if (drawn.length === lines.length && lines.every((line, at) => line === drawn[at])) return
      const isResized = columns !== stdout.columns
      columns = stdout.columns
      const home = isResized ? '\x1b[2J\x1b[H' : drawn.length > 0 ? `\x1b[${drawn.length}F` : ''
      stdout.write(`${home}${lines.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J`)
      drawn = lines
    },
    restart() {
      drawn = []
    },
  }
}

function lineByLine(cli: Cli, { resource, choice }: WatchedList): Writer {
  const known = new Map<number, { text: string | undefined; row: AnyRow; json: Record<string, unknown> }>()
  const records = (view: View) => ({ read: async <T>(take: (view: View) => T) => take(view) })
  let isFirst = true
  return {
    restart: () => undefined,
    async write({ rows, view, isFull }) {
      const isText = 'header' in choice
      const shown = { resource, rows, records: records(view) }
      const header = isText && choice.header
      const lines = isText ? await machineLines(cli, shown, { kind: choice.kind, header }) : []
      const [head, body] = header ? [lines.slice(0, 1), lines.slice(1)] : [[], lines]
      const jsons = isText ? [] : rows.map((row) => recordJson(resource, row, choice.fields, view))
      const changed: number[] = []
      for (const [at, row] of rows.entries()) {
        const text = isText ? body[at]?.replace(/ +/g, ' ') : JSON.stringify(jsons[at])
        if (known.get(row.id)?.text !== text) changed.push(at)
        known.set(row.id, { text, row, json: jsons[at] ?? {} })
      }
      const here = new Set(rows.map(({ id }) => id))
      const left = [...known.entries()].filter(([id]) => !here.has(id))
      for (const [id] of left) known.delete(id)
      const gone = isFull ? [] : left.map(([, one]) => one)
      if (isText)
        cli.io.stdout.write(
          [...(isFirst ? head : []), ...changed.flatMap((at) => body[at] ?? [])].map((line) => `${line}\n`).join(''),
        )
      else {
        const kind = choice.kind === 'json' ? 'jsonl' : choice.kind
        const values = [
          ...changed.map((at) => jsons[at]!),
          ...(kind === 'name' ? [] : gone.map(({ json }) => ({ ...json, gone: true }))),
        ]
        if (kind !== 'yaml') await printValues(cli, kind, values)
        else
          for (const value of values) {
            cli.print('---')
            await printValues(cli, kind, value)
          }
      }
      isFirst = false
      if (isText || choice.kind === 'name')
        for (const { row } of gone)
          cli.note(cli.translator.t('ui.cli.watch.gone', { name: titleOf(resource, row), id: row.id }))
    },
  }
}
