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

interface Cells {
  name: number
  state: number
  exit: number
  took: number
}

export function longestName(items: readonly RunItem[]): number {
  return items.reduce((most, { server_name }) => Math.max(most, widthWithin(plainText(server_name), widestName)), 0)
}

/** States in full, names up to `wholeName`; the output's last line gets the rest. */
function cellsOf({ workspace }: Ui, columns: number, longest: number): Cells {
  const words = order.map((state) => widthOf(workspace.say(`ui.run.states.${state}`)))
  return {
    name: Math.max(leastName, Math.min(wholeName(columns), longest)) + 1,
    state: Math.max(...words) + 3,
    exit: 4,
    took: 9,
  }
}

export function itemHead(ui: Ui, columns: number, longest: number): Line {
  const { t, language } = ui.workspace
  const { name, state, exit, took } = cellsOf(ui, columns, longest)
  const head = (text: string) => text.toLocaleUpperCase(language)
  return cutLine(
    [
      blank(2),
      ...fitLine(line(head(t('ui.run.server')), 'muted'), name),
      ...fitLine(line(head(t('ui.run.state')), 'muted'), state),
      ...fitLine(line(head(t('ui.run.exitHead')), 'muted'), exit, 'right'),
      ...fitLine(line(head(t('ui.run.took')), 'muted'), took, 'right'),
      blank(2),
      span(head(t('ui.run.lastLine')), 'muted'),
    ],
    columns,
  )
}

export function itemRow(
  ui: Ui,
  item: RunItem,
  { columns, longest, focused }: { columns: number; longest: number; focused: boolean },
): Line {
  const { name, state, exit, took } = cellsOf(ui, columns, longest)
  const tone = itemTones[item.state]
  const title = plainText(item.server_name) || `#${item.server_id}`
  const word = item.state === ItemState.failure ? 'bad' : item.state === ItemState.running ? 'accent' : 'muted'
  const drawn: Line = [
    span(focused ? '▌ ' : '  ', 'accent'),
    ...fitLine([span(cutMiddle(title, name - 1, '…'), ...(focused ? (['bold'] as const) : []))], name - 1),
    blank(1),
    ...fitLine([stateSpan(item.state, tone), span(` ${ui.workspace.say(`ui.run.states.${item.state}`)}`, word)], state),
    ...fitLine([span(item.exit_code === null ? '' : String(item.exit_code), wordRole[tone])], exit, 'right'),
    ...fitLine([span(textsOf(ui, item).took)], took, 'right'),
    blank(2),
  ]
  const line = fitLine([...drawn, ...lastLine(ui, item, columns - lineWidth(drawn) - 1)], columns)
  return focused ? withRoles(line, 'focus') : line
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
