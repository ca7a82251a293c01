import { plainText } from '@qd/core/define'
import { itemTones, type RunItem } from '@qd/core/resources'
import { type RefObject, useMemo, useRef } from 'react'
import { useWidth } from '../../../base/hooks/use-size.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Grid, GridRow, type MoveFocus } from '../../../ui/Grid.tsx'
import { ResultWord } from '../../../ui/StateMark.tsx'
import * as table from '../../../ui/Table.css.ts'
import * as css from './RunResults.css.ts'
import { outputLines, stateIcon, useItemText } from './run-items.ts'

const rowHeight = 28
const fixed = { server: 152, state: 124, exit: 56, took: 84 }
const phoneWidth = 600

export function RunRows({
  items,
  current,
  onChoose,
  move,
}: {
  items: readonly RunItem[]
  current: number | null
  onChoose: (server: number) => void
  move: RefObject<MoveFocus | null>
}) {
  const { t } = useTexts()
  const text = useItemText()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const isPhone = width < phoneWidth
  const server = isPhone ? Math.max(120, width - fixed.state - fixed.took) : fixed.server
  const line = Math.max(80, width - server - fixed.state - fixed.exit - fixed.took)
  const columns = [
    { name: 'server', title: t('ui.run.server'), width: server, numeric: false },
    { name: 'state', title: t('ui.run.state'), width: fixed.state, numeric: false },
    ...(isPhone ? [] : [{ name: 'exit', title: t('ui.run.exitHead'), width: fixed.exit, numeric: true }]),
    { name: 'took', title: t('ui.run.took'), width: fixed.took, numeric: true },
    ...(isPhone ? [] : [{ name: 'line', title: t('ui.run.lastLine'), width: line, numeric: false }]),
  ]
  const byServer = useMemo(() => new Map(items.map((item) => [item.server_id, item])), [items])
  const ids = useMemo(() => items.map(({ server_id }) => server_id), [items])
  const shownOf = (item: RunItem, name: string) => {
    if (name === 'server')
      return <span className={css.server}>{plainText(item.server_name) || `#${item.server_id}`}</span>
    if (name === 'state')
      return <ResultWord tone={itemTones[item.state]} text={text(item).state} icon={stateIcon(item.state)} />
    if (name === 'exit') return item.exit_code === null ? '' : String(item.exit_code)
    if (name === 'took') return text(item).took
    return <LastLine item={item} />
  }
  const edge = (name: string) => (name === 'server' ? css.first : '')
  return (
    <div className={css.rows} ref={frame}>
      {width > 0 && (
        <Grid
          label={t('ui.run.servers')}
          ids={ids}
          rowHeight={rowHeight}
          move={move}
          head={columns.map(({ name, title, width: room, numeric }) => (
            <div
              key={name}
              {...{ role: 'columnheader' }}
              className={`${table.column} ${edge(name)}`}
              style={{ width: room }}
              data-numeric={numeric || undefined}
            >
              {title}
            </div>
          ))}
          row={(place) => (
            <GridRow
              place={place}
              height={rowHeight}
              isSelected={place.id === current}
              onPress={() => onChoose(place.id)}
              onMark={() => onChoose(place.id)}
            >
              {columns.map(({ name, width: room, numeric }) => (
                <div
                  key={name}
                  {...{ role: name === 'server' ? 'rowheader' : 'gridcell' }}
                  className={`${table.cell} ${edge(name)}`}
                  style={{ width: room }}
                  data-numeric={numeric || undefined}
                >
                  {shownOf(byServer.get(place.id)!, name)}
                </div>
              ))}
            </GridRow>
          )}
        />
      )}
    </div>
  )
}

function LastLine({ item }: { item: RunItem }) {
  const { t } = useTexts()
  const text = useItemText()
  const lines = outputLines(item.output)
  if (lines.length === 0) return <span className={css.muted}>{text(item).silence}</span>
  return (
    <>
      <span className={css.lastLine}>{lines.at(-1)}</span>
      {lines.length > 1 && <span className={css.lines}>{t('ui.run.ofLines', { count: lines.length })}</span>}
    </>
  )
}
