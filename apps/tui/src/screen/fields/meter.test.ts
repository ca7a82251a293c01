import { expect, test } from 'vitest'
import { sparkline } from './meter.ts'

const text = (line: ReturnType<typeof sparkline>) => line.map((span) => span.text).join('')

test('issue 36.34 a sparkline is blank where nothing was reported, and after its server went', () => {
  expect(text(sparkline([null, null, 0, 50, null, 99], 6))).toBe('  ▁▅ █')
  expect(text(sparkline([null, null, 40, null, 99, 99, null, null], 4))).toBe(' ▄█ ')
})
