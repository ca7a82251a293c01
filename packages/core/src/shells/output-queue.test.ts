import { expect, test } from 'vitest'
import { createOutputQueue } from './output-queue.ts'

/** A screen that draws only when told. */
function createScreen(limit: number) {
  const drawn: string[] = []
  const skipped: number[] = []
  let ready: (() => void) | null = null
  const queue = createOutputQueue({
    limit,
    write(bytes, done) {
      drawn.push(new TextDecoder().decode(bytes))
      ready = done
    },
    onSkipped: (bytes) => skipped.push(bytes),
  })
  const draw = () => {
    const go = ready
    ready = null
    go?.()
  }
  return { queue, drawn, skipped, draw, push: (text: string) => queue.push(new TextEncoder().encode(text)) }
}

test('output waits until the screen is ready, then goes together', () => {
  const { push, drawn, draw } = createScreen(1000)
  push('a')
  push('b')
  push('c')
  expect(drawn).toEqual(['a'])
  draw()
  expect(drawn).toEqual(['a', 'bc'])
  draw()
  draw()
  expect(drawn).toEqual(['a', 'bc'])
})

test('W-04 a flood never holds more than its limit: the oldest whole lines go, what is newest is shown', () => {
  const { push, drawn, skipped, draw } = createScreen(100)
  push('$ yes\n')
  for (let line = 0; line < 1000; line++) push(`line ${line} of the flood\n`)
  push('^C')
  draw()
  const shown = drawn.slice(1).join('')
  expect(shown.length).toBeLessThanOrEqual(100)
  expect(shown).toMatch(/^line \d+ of the flood\n/)
  expect(shown.endsWith('line 999 of the flood\n^C')).toBe(true)
  expect(skipped).toHaveLength(1)
  expect(skipped[0]! + shown.length).toBe(
    Array.from({ length: 1000 }, (_, line) => `line ${line} of the flood\n`.length).reduce((a, b) => a + b) + 2,
  )
})

test('one piece over the limit keeps its end', () => {
  const { push, drawn, draw } = createScreen(10)
  push('x')
  push(`${'y'.repeat(50)}\nend`)
  draw()
  expect(drawn.at(-1)).toBe('end')
})

test('W-04 an interrupt leaves out what waits, but for its newest lines', () => {
  const { queue, push, drawn, draw, skipped } = createScreen(10_000_000)
  push('$ yes\n')
  for (let line = 0; line < 100_000; line++) push('a line of the flood\n')
  queue.skip()
  push('$ ')
  for (let turn = 0; turn < 10; turn++) draw()
  const shown = drawn.slice(1).join('')
  expect(shown.length).toBeLessThan(70_000)
  expect(shown.endsWith('a line of the flood\n$ ')).toBe(true)
  expect(skipped).toHaveLength(1)
})

test('an interrupt leaves a short output alone', () => {
  const { queue, push, drawn, draw, skipped } = createScreen(1000)
  push('a')
  push('b\nc')
  queue.skip()
  draw()
  expect(drawn).toEqual(['a', 'b\nc'])
  expect(skipped).toEqual([])
})
