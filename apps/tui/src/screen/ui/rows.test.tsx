import { Box } from 'ink'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { PlacedRowsContext } from '../hooks.ts'
import { type Line, line, span, spread } from '../terminal/line.ts'
import { createPlacedRows, type PlacedRows } from '../terminal/placed-rows.ts'
import { Row, Rows } from './rows.tsx'

let screen: Rendered
afterEach(() => screen.close())

describe('a row', () => {
  test.each([
    [40, 'web-eu-1 offline since 14:02'],
    [16, 'web-eu-1 offlin…'],
    [9, 'web-eu-1…'],
    [1, '…'],
  ])('at %i columns', (columns, shown) => {
    const row = [span('web-eu-1 '), span('offline', 'bad'), span(' since 14:02')]
    screen = renderAt(<Row line={row} />, { columns })
    expect(screen.lines()).toEqual([shown])
  })
})

describe('lines as components', () => {
  const rows: readonly Line[] = [
    spread([span(' ▌ ', 'accent'), span('web-eu-1', 'bold')], [span('4 %', 'muted')], 24),
    [],
    line('  a row', 'warn'),
  ]

  test.each([24, 40, 120])('show what the lines say at %i columns', (columns) => {
    screen = renderAt(<Rows lines={rows} />, { columns })
    expect(screen.lines()).toEqual([' ▌ web-eu-1          4 %', '', '  a row'])
  })

  test('follow what is drawn next, row by row', () => {
    screen = renderAt(<Rows lines={rows} />)
    screen.draw(<Rows lines={[rows[0]!, line('new')]} />)
    expect(screen.lines()).toEqual([' ▌ web-eu-1          4 %', 'new'])
    screen.draw(<Rows lines={[rows[0]!, line('new', 'ok')]} />)
    expect(screen.lines()).toEqual([' ▌ web-eu-1          4 %', 'new'])
  })

  test('are empty boxes of one cell for Ink, which makes an object of each cell of a frame', () => {
    const cells: number[] = []
    const placed = createPlacedRows()
    const put: PlacedRows['put'] = (box, ...row) => {
      let root = box
      while (root.parentNode) root = root.parentNode
      cells.push(root.yogaNode!.getComputedWidth() * root.yogaNode!.getComputedHeight())
      return placed.put(box, ...row)
    }
    screen = renderAt(
      <PlacedRowsContext value={{ ...placed, put }}>
        <Rows lines={rows} />
      </PlacedRowsContext>,
      { columns: 200 },
    )
    expect(cells).toEqual([3, 3, 3])
  })

  test('show only what fits into each box that clips, whatever is in it', () => {
    const clipped = (height: number, children: ReactNode) => (
      <Box flexDirection="column" height={height} overflowY="hidden">
        <Box flexDirection="column" flexShrink={0}>
          {children}
        </Box>
      </Box>
    )
    const shown = (inner: number, outer: number) => (
      <>
        {clipped(outer, <>{clipped(inner, <Rows lines={rows} />)}</>)}
        <Row line={line('foot')} />
      </>
    )
    screen = renderAt(shown(3, 2))
    expect(screen.lines().slice(1)).toEqual(['', 'foot'])
    screen.draw(shown(1, 3))
    expect(screen.lines().slice(1)).toEqual(['', '', 'foot'])
  })
})
