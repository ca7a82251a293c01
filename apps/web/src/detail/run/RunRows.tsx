import { plainText } from '@qd/core/define'
import { itemTones, type RunItem } from '@qd/core/resources'
import { type RefObject, useRef } from 'react'
import { Cell, Column, Row, Table, TableBody, TableHeader, TableLayout, Virtualizer } from 'react-aria-components'
import { useWidth } from '../../hooks/use-size.ts'
import { useTexts } from '../../state/texts.ts'
import { FocusBridge, type MoveFocus } from '../../ui/FocusBridge.tsx'
import { ResultWord } from '../../ui/StateMark.tsx'
import * as table from '../../ui/Table.css.ts'
import * as css from './RunResults.css.ts'
import { stateIcon, useItemText } from './run-items.ts'
import { outputLines } from './run-output.ts'

const rowHeight = 28
const fixed = { server: 152, state: 124, exit: 56, took: 84 }
const phoneWidth = 600

/** One row per server: state, exit code, duration and the last line of its output. */
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
  const { t, format } = useTexts()
  const text = useItemText()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const isPhone = width < phoneWidth
  const server = isPhone ? Math.max(120, width - fixed.state - fixed.took) : fixed.server
  const line = Math.max(80, width - server - fixed.state - fixed.exit - fixed.took)
  return (
    <div className={css.rows} ref={frame}>
      {width > 0 && (
        <Virtualizer layout={TableLayout} layoutOptions={{ rowHeight, headingHeight: 28 }}>
          <Table
            className={table.table}
            aria-label={t('ui.run.servers')}
            selectionMode="single"
            selectionBehavior="replace"
            escapeKeyBehavior="none"
            selectedKeys={current === null ? [] : [current]}
            onSelectionChange={(keys) => {
              const [key] = keys === 'all' ? [] : keys
              if (key !== undefined) onChoose(Number(key))
            }}
          >
            <TableHeader className={table.head}>
              <Column
                id="server"
                isRowHeader
                width={server}
                minWidth={server}
                className={`${table.column} ${css.first}`}
              >
                <FocusBridge move={move} />
                {t('ui.run.server')}
              </Column>
              <Column id="state" width={fixed.state} minWidth={fixed.state} className={table.column}>
                {t('ui.run.state')}
              </Column>
              {!isPhone && (
                <Column id="exit" width={fixed.exit} minWidth={fixed.exit} className={table.column} data-numeric>
                  {t('ui.run.exitHead')}
                </Column>
              )}
              <Column id="took" width={fixed.took} minWidth={fixed.took} className={table.column} data-numeric>
                {t('ui.run.took')}
              </Column>
              {!isPhone && (
                <Column id="line" width={line} minWidth={line} className={table.column}>
                  {t('ui.run.lastLine')}
                </Column>
              )}
            </TableHeader>
            <TableBody items={items} dependencies={[isPhone, text, format]}>
              {(item) => (
                <Row id={item.server_id} className={table.row} textValue={plainText(item.server_name)}>
                  <Cell className={`${table.cell} ${css.first}`}>
                    <span className={css.server}>{plainText(item.server_name) || `#${item.server_id}`}</span>
                  </Cell>
                  <Cell className={table.cell}>
                    <ResultWord tone={itemTones[item.state]} text={text.state(item)} icon={stateIcon(item.state)} />
                  </Cell>
                  {!isPhone && (
                    <Cell className={table.cell} data-numeric>
                      {item.exit_code === null ? '' : String(item.exit_code)}
                    </Cell>
                  )}
                  <Cell className={table.cell} data-numeric>
                    {item.duration_ms === null ? '' : format.duration(item.duration_ms / 1000)}
                  </Cell>
                  {!isPhone && (
                    <Cell className={table.cell}>
                      <LastLine item={item} />
                    </Cell>
                  )}
                </Row>
              )}
            </TableBody>
          </Table>
        </Virtualizer>
      )}
    </div>
  )
}

function LastLine({ item }: { item: RunItem }) {
  const { t } = useTexts()
  const text = useItemText()
  const lines = outputLines(item.output)
  if (lines.length === 0) return <span className={css.muted}>{text.silence(item)}</span>
  return (
    <>
      <span className={css.lastLine}>{lines.at(-1)}</span>
      {lines.length > 1 && <span className={css.lines}>{t('ui.run.ofLines', { count: lines.length })}</span>}
    </>
  )
}
