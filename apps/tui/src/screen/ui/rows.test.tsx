import chalk from 'chalk'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { type Rendered, renderAt } from '../../../../../tests/support/tui/render.tsx'
import { PlacedRowsContext } from '../hooks.ts'
import { type CellLine, toCells } from '../terminal/cells.ts'
import { fitLine, type Line, line, lineText, span, spread } from '../terminal/line.ts'
import { createPlacedRows } from '../terminal/placed-rows.ts'
import { createScreenStyle, mutedStyle, paintLine, plainStyle } from '../terminal/screen-style.ts'
import { type Role, styleOf } from '../terminal/theme.ts'
import { Rows, Words } from './rows.tsx'

const guessed = chalk.level
let screen: Rendered
afterEach(() => {
  screen.close()
  chalk.level = guessed
})

describe('words', () => {
  test.each([
    [40, 'web-eu-1 offline since 14:02'],
    [16, 'web-eu-1 offlin…'],
    [9, 'web-eu-1…'],
    [1, '…'],
  ])('at %i columns', (columns, shown) => {
    screen = renderAt(
      <Words>
        {'web-eu-1 '}
        <Words styleRole="bad">offline</Words>
        {' since 14:02'}
      </Words>,
      { columns },
    )
    expect(screen.lines()).toEqual([shown])
  })

  test('what is left of a bar has a sign of its own in ASCII', () => {
    const style = createScreenStyle({ colorDepth: 0, ground: 'dark', ascii: true })
    screen = renderAt(<Words styleRole="track">━━━</Words>, { style })
    expect(screen.lines()).toEqual(['...'])
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

  const roles: readonly Role[] = ['muted', 'accent', 'ok', 'bad', 'bold', 'rule', 'focus', 'marked', 'key']
  const lines = fc.array(
    fc.array(
      fc.record({
        text: fc.string({ unit: fc.constantFrom('a', 'é', ' ', '●', '─', '中'), maxLength: 8 }),
        roles: fc.subarray([...roles]),
      }),
      { maxLength: 6 },
    ),
    { minLength: 1, maxLength: 5 },
  )

  test.each(['dark', 'light'] as const)('have the cells that a painter gives them on a %s ground', (ground) => {
    chalk.level = 3
    const style = createScreenStyle({ colorDepth: 24, ground, ascii: false })
    const cellsOf = ({ cells }: CellLine) => {
      const seen = cells.map(({ text, style }) => ({
        text,
        // Of a blank only its ground is seen; of two colours the later one.
        style: [
          text === ' ' ? '' : style.match(/38;2;\d+;\d+;\d+/g)?.at(-1),
          style.match(/48;2;\d+;\d+;\d+/g)?.at(-1),
          text !== ' ' && /(^|;)1(?=;[34]8|$)/.test(style) ? '1' : '',
        ]
          .filter(Boolean)
          .join(' '),
      }))
      while (seen.at(-1)?.text === ' ' && seen.at(-1)?.style === '') seen.pop()
      return seen
    }
    fc.assert(
      fc.property(lines, (drawn) => {
        const fitted = drawn.map((one) => fitLine(one, 60))
        screen?.close()
        screen = renderAt(<Rows lines={fitted} />, { columns: 60, style })
        const shown = screen.lines()
        expect(drawn.map((_, at) => cellsOf(toCells(shown[at] ?? '')))).toEqual(
          fitted.map((one) => cellsOf(toCells(paintLine(style, one)))),
        )
      }),
      { numRuns: 200 },
    )
  })

  test('behind a question all of them is muted, plain words too', () => {
    chalk.level = 3
    const style = mutedStyle(createScreenStyle({ colorDepth: 24, ground: 'dark', ascii: false }))
    screen = renderAt(<Rows lines={[[span('web-eu-1 '), span('4 %', 'bad')]]} />, { style })
    const { cells } = toCells(screen.lines()[0]!)
    expect(cells.filter(({ text, style }) => text !== ' ' && style !== cells[0]!.style)).toEqual([])
    expect(cells[0]!.style).toMatch(/^38;2;/)
  })

  test('a role after another wins', () => {
    const { theme } = createScreenStyle({ colorDepth: 24, ground: 'dark', ascii: false })
    expect(styleOf(theme, ['marked', 'bad', 'focus'])).toEqual({ ...theme.bad, ...theme.focus })
    expect(lineText(rows[0]!)).toBe(' ▌ web-eu-1          4 %')
    expect(styleOf(plainStyle.theme, ['bad', 'focus'])).toEqual({})
  })
})
