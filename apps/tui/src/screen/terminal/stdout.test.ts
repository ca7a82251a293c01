import { expect, test } from 'vitest'
import { createPlacedRows } from './placed-rows.ts'
import { plainStyle } from './screen-style.ts'
import { createInkStdout } from './stdout.ts'

function createScreen() {
  const size = { columns: 80, rows: 24 }
  const frames: string[] = []
  return {
    size,
    frames,
    ...createInkStdout(size, {
      writer: { show: (frame) => frames.push(frame.map((runs) => runs.map(({ text }) => text).join('')).join('\n')) },
      placed: createPlacedRows(() => plainStyle),
    }),
  }
}

test('a frame that Ink draws by itself when the size changes is not shown, the one after it is', () => {
  const { stream, resized, size, frames } = createScreen()
  const seen: number[] = []
  stream.on('resize', () => {
    seen.push(stream.columns)
    stream.write('old rows in the new size')
  })
  size.columns = 60
  resized()
  expect(seen).toEqual([60])
  expect(frames).toEqual([])
  stream.write('new rows')
  expect(frames).toEqual(['new rows'])
})
