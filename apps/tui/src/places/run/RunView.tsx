import type { Rollout, RunCounts, RunItem } from '@qd/core/resources'
import { Box } from 'ink'
import { useArea, useLive, useTexts, useUi } from '../../screen/hooks.ts'
import type { Area } from '../../screen/state/screen.ts'
import { type Line, line, span, spread } from '../../screen/terminal/line.ts'
import type { TextInput } from '../../screen/terminal/text-input.ts'
import { Row, Rows } from '../../screen/ui/rows.tsx'
import { countsLine, itemHead, itemRow, outputPane, rolloutLine } from './run-lines.ts'

export interface RunShown {
  readonly counts: RunCounts
  readonly rollout: Rollout
  readonly search: { readonly input: TextInput | null; readonly filter: string; readonly found: number } | null
  readonly items: readonly RunItem[]
  readonly focused: RunItem | null
  readonly longest: number
  readonly room: number
  readonly folded: number
  readonly paneRows: number
}

/** Results of a run by server. `show` updates the state for an area; null while loading. */
export function RunView({ show }: { show(area: Area): RunShown | null }) {
  const ui = useUi()
  const { t } = useTexts()
  const area = useArea()
  const { columns } = area
  const shown = useLive(() => show(area))
  if (!shown) return <Rows lines={[[], line(`    ${t('ui.list.loading')}`, 'muted')]} />
  const { counts, rollout, search, items, focused, longest, room, folded, paneRows } = shown
  return (
    <Box flexDirection="column" height={area.rows} flexShrink={0}>
      <Row line={countsLine(counts, columns)} />
      {rollout && <Row line={rolloutLine(ui, rollout, counts, columns)} />}
      {search && <Row line={searchLine(search, columns)} />}
      <Row line={itemHead(ui, columns, longest)} />
      <Box flexDirection="column" height={room} flexShrink={0}>
        {items.map((item, place) => (
          <Row key={place} line={itemRow(ui, item, { columns, longest, focused: item === focused })} />
        ))}
        {folded > 0 && <Row line={line(`  … ${t('ui.tui.run.folded', { count: folded })}`, 'muted')} />}
      </Box>
      {focused && paneRows > 0 && <Rows lines={outputPane(ui, focused, { columns, rows: paneRows })} />}
    </Box>
  )
}

function searchLine({ input, filter, found }: NonNullable<RunShown['search']>, columns: number): Line {
  const text = input ? input.draw(40) : [span(filter)]
  return spread([span(' '), span('/', 'muted'), ...text], [span(`${found} `, 'muted')], columns)
}
