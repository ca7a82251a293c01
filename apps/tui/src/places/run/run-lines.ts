import { plainText } from '@qd/core/fields'
import { ItemState, itemTones, type Rollout, type RunCounts, type RunItem, run } from '@qd/core/resources'
import { itemTexts, rolloutPlan, rolloutStep } from '@qd/core/view'
import { cutMiddle, wholeName, widthOf, widthWithin } from '../../base/output/width.ts'
import { stateSpan, wordRole } from '../../screen/fields/marks.ts'
import { keyText } from '../../screen/state/actions.ts'
import type { Ui } from '../../screen/state/ui.ts'
import {
  blank,
  cutLine,
  fitLine,
  type Line,
  line,
  lineWidth,
  ruleLine,
  span,
  spread,
  withRoles,
} from '../../screen/terminal/line.ts'
import { hintSpans } from '../../screen/terminal/screen-style.ts'
import { hintWord } from '../views/action-hints.ts'
import { lastLines } from '../views/text-scroll.ts'

const order = [
  ItemState.success,
  ItemState.failure,
  ItemState.running,
  ItemState.sent,
  ItemState.waiting,
  ItemState.noAnswer,
] as const

export function countsLine(counts: RunCounts, columns: number): Line {
  const total = order.reduce((sum, state) => sum + counts[state], 0)
  const open = counts.waiting + counts.sent + counts.running
  const figures = order.flatMap((state): Line => {
    if (counts[state] === 0 && state !== ItemState.success) return []
    return [stateSpan(state, itemTones[state]), span(` ${counts[state]}  `)]
  })
  const right: Line = [...figures, span(`${total} `, 'muted')]
  const cells = Math.max(10, Math.min(60, columns - lineWidth(right) - 4))
  const done = total === 0 ? 0 : Math.round(((total - open) / total) * cells)
  const bar: Line = [
    blank(1),
    span('━'.repeat(done), open > 0 ? 'accent' : 'plain'),
    span('─'.repeat(cells - done), 'track'),
  ]
  return spread(bar, right, columns)
}

/** `Batch 2 of 4 · Canary servers 1 · …`, with pause and resume keys. */
export function rolloutLine(ui: Ui, rollout: NonNullable<Rollout>, counts: RunCounts, columns: number): Line {
  const { t } = ui.workspace
  const { step, steps, isCanary } = rolloutStep(rollout, counts)
  const place = isCanary ? t('ui.run.rollout.canary') : t('ui.run.rollout.batch', { step, steps })
  const isOpen = counts.waiting > 0
  const isGoing = rollout.state === 'going'
  const plan = rolloutPlan(rollout, ui.workspace)
  const keys = !isOpen
    ? []
    : isGoing
      ? (['pause', 'stop'] as const)
      : rollout.state === 'paused'
        ? (['resume', 'stop'] as const)
        : []
  const hints = keys.flatMap((name) => [
    ...hintSpans(
      ui.style,
      keyText(ui, run.actions[name]!.key.tui!),
      hintWord(ui.workspace.translator, run.actions[name]!),
    ),
    span('  '),
  ])
  const stand: Line = [
    blank(1),
    stateSpan(isOpen ? ItemState.waiting : ItemState.success, isGoing ? 'accent' : 'warn'),
    span(' '),
    span(rollout.state === 'going' ? place : t(`ui.run.rollout.${rollout.state}`), isGoing ? 'plain' : 'warnWord'),
  ]
  const whole: Line = [...stand, span(`  ${plan.join(', ')}  `, 'muted')]
  return spread(lineWidth(whole) + lineWidth(hints) <= columns ? whole : stand, hints, columns)
}

const leastName = 12
const widestName = 40

export function longestName(items: readonly RunItem[]): number {
  return items.reduce((most, { server_name }) => Math.max(most, widthWithin(plainText(server_name), widestName)), 0)
}

/** States in full, names up to `wholeName`; the output's last line gets the rest. */
function columnsOf(ui: Ui, columns: number, longest: number) {
  const { t, say } = ui.workspace
  const nameCells = Math.max(leastName, Math.min(wholeName(columns), longest))
  const words = order.map((state) => widthOf(say(`ui.run.states.${state}`)))
  const wordOf = (state: ItemState) =>
    state === ItemState.failure ? 'bad' : state === ItemState.running ? 'accent' : 'muted'
  return [
    {
      ...{ head: t('ui.run.server'), cells: nameCells + 1, align: 'left' as const },
      draw: ({ server_id, server_name }: RunItem, isFocused: boolean): Line =>
        line(cutMiddle(plainText(server_name) || `#${server_id}`, nameCells, '…'), isFocused ? 'bold' : 'plain'),
    },
    {
      ...{ head: t('ui.run.state'), cells: Math.max(...words) + 3, align: 'left' as const },
      draw: ({ state }: RunItem): Line => [
        stateSpan(state, itemTones[state]),
        span(` ${say(`ui.run.states.${state}`)}`, wordOf(state)),
      ],
    },
    {
      ...{ head: t('ui.run.exitHead'), cells: 4, align: 'right' as const },
      draw: ({ state, exit_code }: RunItem): Line => line(String(exit_code ?? ''), wordRole[itemTones[state]]),
    },
    {
      ...{ head: t('ui.run.took'), cells: 9, align: 'right' as const },
      draw: (item: RunItem): Line => line(textsOf(ui, item).took),
    },
  ]
}

export function itemHead(ui: Ui, columns: number, longest: number): Line {
  const { t, language } = ui.workspace
  const head = (text: string) => line(text.toLocaleUpperCase(language), 'muted')
  const heads = columnsOf(ui, columns, longest).flatMap((one) => fitLine(head(one.head), one.cells, one.align))
  return cutLine([blank(2), ...heads, blank(2), ...head(t('ui.run.lastLine'))], columns)
}

export function itemRow(
  ui: Ui,
  item: RunItem,
  { columns, longest, focused }: { columns: number; longest: number; focused: boolean },
): Line {
  const cells = columnsOf(ui, columns, longest).flatMap((one) => fitLine(one.draw(item, focused), one.cells, one.align))
  const drawn = [span(focused ? '▌ ' : '  ', 'accent'), ...cells, blank(2)]
  const row = fitLine([...drawn, ...lastLine(ui, item, columns - lineWidth(drawn) - 1)], columns)
  return focused ? withRoles(row, 'focus') : row
}

const textsOf = (ui: Ui, item: RunItem) => itemTexts(item, ui.workspace, ui.workspace.view.now)

function lastLine(ui: Ui, item: RunItem, cells: number): Line {
  const text = lastLines(item.output, 1).at(-1)
  if (text === undefined)
    return item.state === ItemState.waiting ? [] : cutLine(line(textsOf(ui, item).silence, 'muted'), cells)
  const count = item.lines > 1 ? [span(`  ${ui.workspace.t('ui.run.ofLines', { count: item.lines })}`, 'muted')] : []
  return [...cutLine(line(text), cells - lineWidth(count)), ...count]
}

export function itemStatus(ui: Ui, item: RunItem): Line {
  return [span(' '), stateSpan(item.state, itemTones[item.state]), span(` ${textsOf(ui, item).ending}`)]
}

/** The end of the focused output, with the number of omitted lines. */
export function outputPane(ui: Ui, item: RunItem, { columns, rows }: { columns: number; rows: number }): Line[] {
  const { reason, ending } = textsOf(ui, item)
  const { t } = ui.workspace
  const shown = lastLines(item.output, rows - 1)
  const isCut = shown.length < item.lines || item.cut_bytes > 0
  const counts = { shown: shown.length, count: Math.max(shown.length, item.lines), key: keyText(ui, 'Enter') }
  const isSilent = shown.length === 0 && item.state !== ItemState.waiting
  return [
    ruleLine(
      [span(`${plainText(item.server_name)}, ${ending}`)],
      columns,
      isCut ? [span(t('ui.tui.run.lastOf', counts), 'muted')] : [],
    ),
    ...shown.map((text) => cutLine([span(` ${text}`)], columns)),
    ...(isSilent ? [line(` ${reason || t('ui.run.noOutput')}`, 'muted')] : []),
  ]
}
