import type { AnyRow } from '@qd/core/define'
import { plainLines, plainText } from '@qd/core/fields'
import { ItemState, type RunItem } from '@qd/core/resources'
import { padTo, widthOf } from '../../../base/output/width.ts'
import type { Cli } from '../cli.ts'
import { itemLine, sortItems } from '../printing/run-items.ts'

const over: readonly ItemState[] = [ItemState.success, ItemState.failure, ItemState.noAnswer]

export type RunFollower = ReturnType<typeof createFollower>

/**
 * Output to stdout with server names if there are several; results to stderr, so that `qd exec web-1 -- cat notes >
 * notes` holds only the notes.
 */
export function createFollower(cli: Cli) {
  const written = new Map<number, number>()
  const ended = new Set<number>()

  function writeItem(item: RunItem, upTo: number, head: string): void {
    const from = written.get(item.server_id) ?? 0
    written.set(item.server_id, upTo)
    const text = plainLines(item.output.slice(from, upTo)).replace(/\n$/, '')
    const lines = text.split('\n').map((line) => `${head}${line}\n`)
    cli.io.stdout.write(lines.join(''))
  }

  return {
    /** Prints new output; `before` is called once before the first. */
    write(row: AnyRow, before: () => void) {
      const items = row.items as readonly RunItem[]
      const cells = Math.max(0, ...items.map(({ server_name }) => widthOf(plainText(server_name))))
      let isFirst = true
      const begin = () => {
        if (isFirst) before()
        isFirst = false
      }
      for (const item of sortItems(items)) {
        const { server_id: id, server_name: name, state, output, cut_bytes: cut } = item
        if (ended.has(id)) continue
        const isOver = over.includes(state)
        const upTo = isOver ? output.length : output.lastIndexOf('\n') + 1
        const bar = cli.io.unicode ? '│' : '|'
        const head = items.length > 1 ? `${padTo(plainText(name) || `#${id}`, cells, 'left')} ${bar} ` : ''
        if (upTo > (written.get(id) ?? 0)) {
          begin()
          writeItem(item, upTo, head)
        }
        if (!isOver) continue
        begin()
        ended.add(id)
        if (cut > 0) cli.note(cli.err.paint('muted', cli.translator.t('ui.run.cut', { count: cut })))
        cli.note(itemLine({ ...cli, out: cli.err }, item, cells))
      }
    },
  }
}
