import { Terminal } from '@xterm/headless'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { line } from './line.ts'
import { createScreenStyle, paintLine, type Run } from './screen-style.ts'
import { createScreenWriter } from './screen-writer.ts'
import type { Role } from './theme.ts'

const columns = 40
const rows = 6
const style = createScreenStyle({ colorDepth: 24, ground: 'dark', ascii: false })
const paint = (text: string, ...roles: readonly Role[]) => paintLine(style, line(text, ...roles))

function createScreen() {
  const screen = new Terminal({ cols: columns, rows, allowProposedApi: true })
  const size = { columns, rows }
  screen.write('\u001b[?1049h')
  let written = ''
  const pending: Promise<void>[] = []
  const writer = createScreenWriter({
    get columns() {
      return size.columns
    },
    get rows() {
      return size.rows
    },
    write(text) {
      written += text
      pending.push(new Promise((resolve) => screen.write(text, resolve)))
    },
  })
  return {
    async show(...lines: readonly (string | readonly Run[])[]) {
      written = ''
      writer.show(lines.map((one) => (typeof one === 'string' ? paint(one) : one)))
      await Promise.all(pending)
      return written
    },
    resize(width: number) {
      size.columns = width
      screen.resize(width, rows)
    },
    text: () =>
      Array.from({ length: rows }, (_, row) => screen.buffer.active.getLine(row)!.translateToString(true).trimEnd()),
    colour: (row: number, column: number) => screen.buffer.active.getLine(row)!.getCell(column)!.getFgColor(),
  }
}

test('T-03 only the cells that changed are written, and nothing when nothing changed', async () => {
  const screen = createScreen()
  await screen.show('cache-1   12', 'db-eu-2   38')
  expect(await screen.show('cache-1   12', 'db-eu-2   39')).toBe('\u001b[2;12H9')
  expect(await screen.show('cache-1   12', 'db-eu-2   39')).toBe('')
  expect(screen.text().slice(0, 2)).toEqual(['cache-1   12', 'db-eu-2   39'])
})

test('a shorter line leaves nothing of the longer one', async () => {
  const screen = createScreen()
  await screen.show([...paint('a long line '), ...paint('in red', 'bad')], 'second')
  await screen.show('short')
  expect(screen.text()).toEqual(['short', '', '', '', '', ''])
})

test('T-05 a frame that is too wide for a smaller screen spoils nothing', async () => {
  const screen = createScreen()
  const wide = ['name-1  12 ab          cd          ef', 'name-2  34 ab          cd          ef']
  await screen.show(...wide)
  screen.resize(20)
  await screen.show(...wide)
  await screen.show('name-1  12', 'name-2  35')
  expect(
    screen
      .text()
      .slice(0, 3)
      .map((text) => text.slice(0, 20).trimEnd()),
  ).toEqual(['name-1  12', 'name-2  35', ''])
})

test('T-16 columns behind wide and combining characters stay where they are', async () => {
  const screen = createScreen()
  await screen.show('தமிழ்      |12', '数据库      |12', '😀👩‍👩‍👧 café  |12', 'plain       |12')
  await screen.show('தமிழ்      |13', '数据库      |13', '😀👩‍👩‍👧 café  |13', 'plain       |13')
  const shown = screen.text()
  for (const text of shown.slice(0, 4)) expect(text.endsWith('|13')).toBe(true)
  expect(shown[1]).toMatch(/^数据库 +\|13$/)
  expect(shown[2]).toContain('😀')
  expect(shown[2]).toContain('café')
})

test('whatever came before, the screen shows the last frame in its colours', async () => {
  const piece = fc.tuple(
    fc.constantFrom('ab', ' ', '   ', '━─', 'x1', '12', '…'),
    fc.constantFrom<'plain' | 'bad' | 'focus'>('plain', 'bad', 'focus'),
  )
  const frame = fc.array(fc.array(piece, { maxLength: 12 }), { maxLength: rows })
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 5 }), async (frames) => {
      const screen = createScreen()
      const fresh = createScreen()
      const drawn = frames.map((lines) => lines.map((pieces) => pieces.flatMap(([text, role]) => paint(text, role))))
      for (const lines of drawn) await screen.show(...lines)
      await fresh.show(...drawn.at(-1)!)
      expect(screen.text()).toEqual(fresh.text())
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++)
          if (screen.text()[row]![column]?.trim()) expect(screen.colour(row, column)).toBe(fresh.colour(row, column))
    }),
    { numRuns: 60 },
  )
})

test('what a terminal would obey reaches none', async () => {
  const screen = createScreen()
  const written = await screen.show('a\u001b[2Jb\u009b31mc\u0007\u001b]0;x\u0007')
  expect(written.replaceAll(/\u001b\[[\d;]*[HKm]/g, '')).toBe('a[2Jb31mc]0;x')
  expect(screen.text()).toContain('a[2Jb31mc]0;x')
})
