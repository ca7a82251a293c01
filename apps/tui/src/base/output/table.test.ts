import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestIo } from '../../../../../tests/support/tui/io.ts'
import { createStyle } from './style.ts'
import { renderTable, type TableColumn } from './table.ts'
import { cutTo, padTo, widthOf } from './width.ts'

const io = createTestIo()
const plain = createStyle(io.stdout, io)

function table(rows: readonly (readonly string[])[], width: number | null, columns: readonly TableColumn[]): string[] {
  const cells = rows.map((row) => row.map((text) => ({ text, tone: 'plain' as const })))
  return renderTable({ columns, rows: cells, width, header: true, style: plain })
}

const columns: readonly TableColumn[] = [
  { head: 'ID', align: 'right', keep: true },
  { head: 'NAME', align: 'left', keep: true },
  { head: 'GROUP', align: 'left', keep: false },
  { head: 'CPU', align: 'right', keep: false },
  { head: 'STATE', align: 'left', keep: true },
]
const rows = [
  ['8', 'db-ap-1', 'db', '34', 'online'],
  ['12', 'db-eu-2', 'db, eu', '93', 'warning, disk 93 %'],
]

test('C-08 numbers right, two blanks between columns, nothing at the end of a line', () => {
  expect(table(rows, null, columns)).toEqual([
    'ID  NAME     GROUP   CPU  STATE',
    ' 8  db-ap-1  db       34  online',
    '12  db-eu-2  db, eu   93  warning, disk 93 %',
  ])
})

test('C-08 columns are left out from the right, names and states never', () => {
  expect(table(rows, 40, columns)).toEqual([
    'ID  NAME     GROUP   STATE',
    ' 8  db-ap-1  db      online',
    '12  db-eu-2  db, eu  warning, disk 93 %',
  ])
  expect(table(rows, 33, columns)[2]).toBe('12  db-eu-2  warning, disk 93 %')
  for (const line of table(rows, 24, columns)) expect(widthOf(line)).toBeLessThanOrEqual(24)
})

test.each([
  [60, 24],
  [80, 24],
  [119, 24],
  [120, 40],
  [200, 40],
])(
  'issue 18: names win in a table of %i columns: whole up to %i cells, longer ones are cut in the middle',
  (width, whole) => {
    const heads: readonly TableColumn[] = [
      { head: 'ID', align: 'right', keep: true },
      { head: 'NAME', align: 'left', keep: true, cut: 'middle' },
      ...['GROUP', 'ADDRESS', 'CPU'].map((head): TableColumn => ({ head, align: 'left', keep: false })),
      { head: 'STATE', align: 'left', keep: true },
    ]
    const wholeName = fc.stringMatching(/^[a-z][a-z0-9-]*$/).map((text) => text.slice(0, whole))
    fc.assert(
      fc.property(wholeName, fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 90 }), (name, other, state) => {
        const cells = [['1234', name, 'g'.repeat(other), '2001:db8::1', '34', 's'.repeat(state)]]
        const [, line = ''] = table(cells, width, heads)
        expect(line.startsWith(`1234  ${name}`)).toBe(true)
        expect(widthOf(line)).toBeLessThanOrEqual(width)
      }),
    )
    const long = `${'a'.repeat(150)}-${'z'.repeat(150)}`
    const [, line = ''] = table([['1', long, 'web', '2001:db8::1', '34', 'online']], width, heads)
    expect(line).toMatch(/^ *1 {2}a{11,}….*z{11,} {2}.*online$/)
    expect(widthOf(line)).toBeLessThanOrEqual(width)
  },
)

test('issue 10: what is cut loses the part that matters least: the oldest of a line over time, the middle of a name', () => {
  const history: TableColumn[] = [
    { head: '', align: 'left', keep: true, cut: 'middle' },
    { head: '', align: 'left', keep: true, cut: 'start' },
    { head: '', align: 'left', keep: true },
  ]
  const line = renderTable({
    columns: history,
    rows: [['web-1', '▁▂▃▄▅▆▇█'.repeat(5), '41 %'].map((text) => ({ text, tone: 'plain' }))],
    width: 40,
    header: false,
    style: plain,
  })[0]!
  expect(widthOf(line)).toBeLessThanOrEqual(40)
  expect(line).toMatch(/^web-1 {2}….*▁▂▃▄▅▆▇█ {2}41 %$/)
})

test('C-08 a pipe gets everything, however wide it is', () => {
  const long = 'x'.repeat(500)
  expect(table([['1', 'a', long, '1', 'online']], null, columns)[1]).toContain(long)
  expect(table([['1', 'a', long, '1', 'online']], 200, columns)[1]).toContain(`${'x'.repeat(39)}…`)
})

test('T-16 wide characters, combining marks and emoji keep columns aligned and are never cut in two', () => {
  expect(widthOf('服务器')).toBe(6)
  expect(widthOf('é')).toBe(1)
  expect(widthOf('👩‍🔧')).toBe(2)
  expect(padTo('服', 4, 'left')).toBe('服  ')
  expect(cutTo('服务器', 5, '…')).toBe('服务…')
  expect(cutTo('服务器', 4, '…')).toBe('服…')
  expect(cutTo('நகரம்', 3, '…')).toBe(
    `${[...new Intl.Segmenter().segment('நகரம்')]
      .slice(0, 2)
      .map(({ segment }) => segment)
      .join('')}…`,
  )
})
