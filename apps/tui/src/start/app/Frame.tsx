import { Box, type DOMElement } from 'ink'
import { useLayoutEffect, useMemo, useRef } from 'react'
import { AreaContext, ScreenStyleContext, useArea, useLive, useTexts, useUi, useValue } from '../../screen/hooks.ts'
import type { Area } from '../../screen/state/screen.ts'
import { line } from '../../screen/terminal/line.ts'
import { mutedStyle } from '../../screen/terminal/screen-style.ts'
import { LiveRows, Row } from '../../screen/ui/rows.tsx'
import { flashLines, hintLine, lossLine } from './frame.ts'
import { Header } from './Header.tsx'
import { fronts } from './pointer.ts'

/** Minimum size (behaviour T-04). */
const smallest: Area = { columns: 40, rows: 10 }
const questionTop = 6

export function Frame() {
  const ui = useUi()
  const { t } = useTexts()
  const { columns, rows } = useValue(() => ui.size)
  const style = useValue(() => ui.style)
  const isBehind = useValue(() => ui.overlay?.layer === 'confirm')
  const messageRows = useLive(() => flashLines(ui, columns).length)
  // Between a row of header, the messages and the hints; the last row stays free.
  const area = useMemo(() => ({ columns, rows: rows - 3 - messageRows }), [columns, rows, messageRows])
  const muted = useMemo(() => mutedStyle(style), [style])
  if (columns < smallest.columns || rows < smallest.rows)
    return <Row line={line(t('ui.tui.tooSmall', { columns: String(columns), rows: String(rows) }))} />
  return (
    <ScreenStyleContext value={style}>
      <AreaContext value={area}>
        <Box flexDirection="column" height={rows - 1}>
          <ScreenStyleContext value={isBehind ? muted : style}>
            <Header />
          </ScreenStyleContext>
          <Body behind={muted} />
          <LiveRows lines={({ columns }) => [...flashLines(ui, columns), hintLine(ui, columns)]} />
        </Box>
      </AreaContext>
    </ScreenStyleContext>
  )
}

/** The screen on top of the stack, and what lies over it. */
function Body({ behind }: { behind: ReturnType<typeof mutedStyle> }) {
  const ui = useUi()
  const screen = useValue(() => ui.screen)
  const overlay = useValue(() => ui.overlay)
  const style = useValue(() => ui.style)
  const area = useArea()
  const { columns, rows } = area
  const box = useRef<DOMElement>(null)
  const isQuestion = overlay?.layer === 'confirm'
  const lost = useLive(() => lossLine(ui, columns))
  // They redraw themselves: nothing here changes what they show.
  const shown = useMemo(() => screen && <screen.View />, [screen])
  const over = useMemo(() => overlay && <overlay.View />, [overlay])
  useLayoutEffect(() => void fronts.set(ui, { box: box.current!, area }))
  return (
    <Box flexDirection="column" height={rows} overflowY="hidden">
      <Box flexDirection="column" flexGrow={isQuestion ? 0 : 1} flexShrink={1} flexBasis={isQuestion ? questionTop : 0}>
        <ScreenStyleContext value={isQuestion ? behind : style}>
          {lost && <Row line={lost} />}
          <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} overflowY="hidden">
            {/* On a list, the line about a lost connection takes the place of the filter, which is not urgent then. */}
            <Box
              ref={overlay ? null : box}
              flexDirection="column"
              flexShrink={0}
              marginTop={lost && screen?.resource ? -1 : 0}
            >
              {shown}
            </Box>
          </Box>
        </ScreenStyleContext>
      </Box>
      <Box ref={overlay ? box : null} flexDirection="column" flexShrink={0}>
        {over}
      </Box>
      {isQuestion && <Box flexGrow={1} />}
    </Box>
  )
}
