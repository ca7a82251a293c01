import { Box, type DOMElement } from 'ink'
import { useLayoutEffect, useMemo, useRef } from 'react'
import {
  AreaContext,
  ScreenStyleContext,
  TickContext,
  UiContext,
  useArea,
  useTexts,
  useTick,
  useUi,
} from '../../screen/hooks.ts'
import type { Area, Overlay, Screen } from '../../screen/state/screen.ts'
import type { Ui } from '../../screen/state/ui.ts'
import type { Line } from '../../screen/terminal/line.ts'
import { mutedStyle } from '../../screen/terminal/screen-style.ts'
import { Row, Words } from '../../screen/ui/rows.tsx'
import { flashLines, hintLine, isPushedDown, lossLine } from './frame.ts'
import { Header } from './Header.tsx'
import { areaOf, keepBoxes } from './pointer.ts'

/** Minimum size (behaviour T-04). */
const smallest: Area = { columns: 40, rows: 10 }
const questionTop = 6

export function Frame({ ui }: { ui: Ui }) {
  const tick = useRef(0)
  tick.current += 1
  const { columns, rows } = ui.terminal
  const message = flashLines(ui, columns)
  const area = useMemo(() => areaOf({ columns, rows }, message.length), [columns, rows, message.length])
  const behind = useMemo(() => mutedStyle(ui.style), [ui.style])
  const style = ui.overlay?.layer === 'confirm' ? behind : ui.style
  const isTooSmall = columns < smallest.columns || rows < smallest.rows
  return (
    <UiContext value={ui}>
      <ScreenStyleContext value={ui.style}>
        <TickContext value={tick.current}>
          <AreaContext value={area}>
            {isTooSmall ? (
              <TooSmall />
            ) : (
              <Box flexDirection="column" width={columns} height={rows - 1}>
                <ScreenStyleContext value={style}>
                  <Header />
                </ScreenStyleContext>
                <Body ui={ui} style={style} />
                <Foot message={message} />
              </Box>
            )}
          </AreaContext>
        </TickContext>
      </ScreenStyleContext>
    </UiContext>
  )
}

function TooSmall() {
  const { t } = useTexts()
  const { columns, rows } = useUi().terminal
  return <Words>{t('ui.tui.tooSmall', { columns: String(columns), rows: String(rows) })}</Words>
}

function Foot({ message }: { message: readonly Line[] }) {
  useTick()
  const ui = useUi()
  const { columns } = useArea()
  return (
    <Box flexDirection="column" flexShrink={0}>
      {message.map((line, index) => (
        <Row key={index} line={line} />
      ))}
      <Row line={hintLine(ui, columns)} />
    </Box>
  )
}

function Body({ ui, style }: { ui: Ui; style: Ui['style'] }) {
  const { screen, overlay } = ui
  const area = useArea()
  const { columns, rows } = area
  const above = useRef<DOMElement>(null)
  const below = useRef<DOMElement>(null)
  const isQuestion = overlay?.layer === 'confirm'
  const lost = lossLine(ui, columns)
  const lines = lost && isPushedDown(ui, screen) ? 1 : 0
  useLayoutEffect(() => keepBoxes(ui, { above: above.current!, overlay: below.current!, lines, area }))
  return (
    <Box flexDirection="column" height={rows} overflowY="hidden">
      <Box
        ref={above}
        flexDirection="column"
        flexGrow={isQuestion ? 0 : 1}
        flexShrink={1}
        flexBasis={isQuestion ? questionTop : 0}
      >
        <ScreenStyleContext value={style}>
          {lost && <Row line={lost} />}
          <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} overflowY="hidden">
            {/* The line about a lost connection takes the place of the filter, which is not urgent then. */}
            <Box flexDirection="column" flexShrink={0} marginTop={lost ? lines - 1 : 0}>
              {screen && <Shown key={keyOf(screen)} what={screen} />}
            </Box>
          </Box>
        </ScreenStyleContext>
      </Box>
      <Box ref={below} flexDirection="column" flexShrink={0}>
        {overlay && <Shown key={keyOf(overlay)} what={overlay} />}
      </Box>
      {isQuestion && <Box flexGrow={1} />}
    </Box>
  )
}

const keys = new WeakMap<Screen | Overlay, number>()
let lastKey = 0

function keyOf(what: Screen | Overlay): number {
  const key = keys.get(what) ?? ++lastKey
  keys.set(what, key)
  return key
}

function Shown({ what }: { what: Screen | Overlay }) {
  return useMemo(() => what.view(), [what])
}
