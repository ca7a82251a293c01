import { plainLines, plainText } from '@qd/core/fields'
import { furtherReason, ItemState, itemTones, type RunItem } from '@qd/core/resources'
import { padTo, widthOf } from '../../../base/output/width.ts'
import type { Cli } from '../command.ts'

const order: readonly ItemState[] = [
  ItemState.failure,
  ItemState.noAnswer,
  ItemState.running,
  ItemState.sent,
  ItemState.waiting,
  ItemState.success,
]

/** Failures first, then by name. A copy. */
export function sortItems(items: readonly RunItem[]): RunItem[] {
  return [...items].sort(
    (a, b) =>
      order.indexOf(a.state) - order.indexOf(b.state) ||
      a.server_name.localeCompare(b.server_name, 'en', { numeric: true }),
  )
}

export function itemLine({ translator, format, out: style }: Cli, item: RunItem, nameCells: number): string {
  const { t } = translator
  const reason = furtherReason(item)
  const facts = [
    translator.say(`ui.run.states.${item.state}`),
    item.exit_code === null ? '' : t('ui.cli.run.exit', { code: String(item.exit_code) }),
    item.duration_ms === null ? '' : format.duration(item.duration_ms / 1000),
    reason === null ? '' : translator.say(`ui.run.reasons.${reason}`),
  ]
  const name = padTo(plainText(item.server_name) || `#${item.server_id}`, nameCells, 'left')
  return `${style.paint(itemTones[item.state], style.mark(item.state))} ${name}  ${facts.filter(Boolean).join('  ')}`
}

export function printItems(cli: Cli, items: readonly RunItem[]): void {
  const nameCells = Math.max(0, ...items.map(({ server_name }) => widthOf(plainText(server_name))))
  for (const item of sortItems(items)) {
    cli.print(itemLine(cli, item, nameCells))
    const output = plainLines(item.output).replace(/\n+$/, '')
    if (output !== '') for (const line of output.split('\n')) cli.print(`  ${line}`)
    if (item.cut_bytes > 0)
      cli.print(`  ${cli.out.paint('muted', cli.translator.t('ui.run.cut', { count: item.cut_bytes }))}`)
  }
}
