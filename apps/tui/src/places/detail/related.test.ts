import { expect, test } from 'vitest'
import { lineText } from '../../screen/terminal/line.ts'
import { nameColumn } from './related.ts'

const names = ['database-primary-frankfurt-rack-17-node3', 'database-primary-frankfurt-rack-17-node4', 'web']

test('related records have whole names up to 24 cells at 80 columns and up to 40 at 120, longer ones cut in the middle', () => {
  const textsAt = (columns: number) => nameColumn(names, columns).lines.map(lineText)
  expect(textsAt(120)).toEqual([names[0], names[1], 'web'.padEnd(40)])
  expect(textsAt(80)).toEqual(['database-pri…ck-17-node3', 'database-pri…ck-17-node4', 'web'.padEnd(24)])
  expect(nameColumn(['web'], 80).cells).toBe(3)
})
