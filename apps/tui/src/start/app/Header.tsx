import { plainText } from '@qd/core/fields'
import { IncidentState } from '@qd/core/resources'
import { cutMiddle, cutTo, widthOf } from '../../base/output/width.ts'
import { useArea, useLive, useUi } from '../../screen/hooks.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { blank, type Line, lineWidth, span, spread } from '../../screen/terminal/line.ts'
import { Row } from '../../screen/ui/rows.tsx'

const whoCells = 28
const spinner = ['◐', '◓', '◑', '◒'] as const

export function Header() {
  const ui = useUi()
  const { columns } = useArea()
  return <Row line={useLive(() => headerLine(ui, columns))} />
}

function headerLine(ui: Ui, columns: number): Line {
  const { screen, workspace } = ui
  const { translator, session, format } = workspace
  const short = columns < 72
  const names = screen?.place() ?? []
  const count = screen?.count?.(short) ?? ''
  const leftOf = (place: readonly string[]): Line => [
    span(ui.working ? ` ${spinner[Math.floor(ui.io.now() / 250) % 4]} ` : ' ', 'accent'),
    span('qd', 'bold'),
    ...(session.supports('demo') ? [blank(1), span(translator.t('ui.demo.name'), 'warnWord', 'bold')] : []),
    ...place.flatMap(
      (name, index): Line => [
        span(index === 0 ? '  ' : ' › ', 'muted'),
        span(name, index === 0 && place.length > 1 ? 'muted' : 'plain'),
      ],
    ),
    span(count === '' ? '' : ` ${short ? '' : ' '}${count}`, 'muted'),
  ]
  const profile = session.state$.profile.peek()
  const who = profile ? `${plainText(String(profile.username))}@${workspace.name}` : workspace.name
  const readOnly = workspace.readOnly ? [span(translator.t('ui.tui.readOnly'), 'warnWord', 'bold'), span('  ')] : []
  const open = session.state$.status.peek() === 'ended' ? 0 : incidentCount(ui)
  const incidents: Line =
    open === 0
      ? []
      : [
          span('■ ', 'bad'),
          span(short ? String(open) : translator.t('ui.tui.header.incidents', { count: open }), 'bad'),
          span('  '),
        ]
  const clock = short ? [] : [span(`${columns >= 110 ? '  ' : ' '}${format.clock(ui.io.now())}`)]
  const shownWho = short ? [] : [span(cutTo(who, whoCells, '…'), 'muted')]
  const wanted = lineWidth(leftOf(names))
  const room = columns - wanted
  let right: Line = []
  // Dropped in this order if narrow: words of the states first, the user last.
  for (const [isShort, whoLine] of [
    [short, shownWho],
    [true, shownWho],
    [null, shownWho],
    [null, []],
  ] as const) {
    const summary = isShort === null ? [] : (screen?.summary?.(isShort) ?? [])
    const gap = summary.length > 0 ? [blank(short ? 1 : 3)] : []
    right = [...summary, ...gap, ...incidents, ...readOnly, ...whoLine, ...clock, blank(1)]
    if (lineWidth(right) < room) break
  }
  return spread(leftOf(shortened(names, wanted + 1 + lineWidth(right) - columns)), right, columns)
}

const leastName = 8

/** Cuts the longest name in the middle, so that the last, such as a run number, stays. */
function shortened(names: readonly string[], by: number): readonly string[] {
  const longest = Math.max(0, ...names.map(widthOf))
  if (by <= 0 || longest <= leastName) return names
  const at = names.findIndex((name) => widthOf(name) === longest)
  return names.map((name, index) => (index === at ? cutMiddle(name, Math.max(leastName, longest - by), '…') : name))
}

/** Open, not acknowledged, not silenced incidents. */
function incidentCount({ workspace }: Ui): number {
  const { pages } = workspace.records.list$('incident').peek()
  const open = workspace.records.peekAll('incident').filter(({ state }) => state === IncidentState.open).length
  return pages?.counts[IncidentState.open] ?? open
}
