import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareNatural, naturalKey } from './order.ts'

const order = (a: string, b: string) => compareNatural(naturalKey(a), naturalKey(b))
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

test('texts of plain ASCII stand as the collator has them', () => {
  const name = fc
    .array(fc.constantFrom('web', 'Web', '-', '_', '.', ' ', '0', '1', '2', '10', 'a', 'Z', '#'))
    .map((parts) => parts.join(''))
  const text = fc.oneof(name, fc.string({ unit: 'grapheme-ascii', maxLength: 12 }))
  fc.assert(
    fc.property(text, text, (a, b) => Math.sign(order(a, b)) === Math.sign(collator.compare(a, b))),
    { numRuns: 5000 },
  )
})

test('other letters stand where the collator has them', () => {
  const names = ['zebra', 'Éclair', 'web-10', 'eclipse', '数据', 'web-2', 'яхта']
  expect(names.toSorted(order)).toEqual(['Éclair', 'eclipse', 'web-2', 'web-10', 'zebra', 'яхта', '数据'])
})
