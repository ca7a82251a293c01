import { afterEach, describe, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { PlacedRowsContext } from '../hooks.ts'
import { type Line, line, span, spread } from '../terminal/line.ts'
import { createPlacedRows } from '../terminal/placed-rows.ts'
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

  test('Ink sees a mark of each, which is free again when the row is gone', () => {
    const placed = createPlacedRows()
    const shown = (lines: readonly Line[]) => (
      <PlacedRowsContext value={placed}>
        <Rows lines={lines} />
      </PlacedRowsContext>
    )
    screen = renderAt(shown(rows))
    // The stdout of this screen knows none of these marks.
    expect(screen.lines()).toEqual(['', '', ''])
    screen.draw(shown([]))
    const marks = Array.from({ length: 1024 }, () => placed.add()?.mark)
    expect(marks).not.toContain(undefined)
  })
})
