import { expect, test } from 'vitest'
import { createPlacedRows } from './placed-rows.ts'
import { createInkStdout } from './stdout.ts'

function createScreen(ascii = false) {
  const size = { columns: 80, rows: 24 }
  const frames: string[] = []
  return {
    size,
    frames,
    ...createInkStdout(size, {
      writer: { show: (frame) => frames.push(frame) },
      placed: createPlacedRows(),
      ascii,
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

test('in ASCII only the texts change, not their colours', () => {
  const { stream, frames } = createScreen(true)
  stream.write('\u001b[38;5;78m●\u001b[0m Überwachung 服务器\n\u001b[1m──\u001b[0m')
  expect(frames).toEqual(['\u001b[38;5;78mo\u001b[0m Uberwachung ??????\n\u001b[1m--\u001b[0m'])
})
