import { expect, test } from 'vitest'
import { createMerger } from './terminal.ts'

const start = () => {
  const sent: string[] = []
  const waiting: (() => void)[] = []
  const merger = createMerger(
    (bytes) => sent.push(Buffer.from(bytes).toString()),
    () => new Promise((resolve) => waiting.push(resolve)),
  )
  const add = (text: string) => merger.add(Buffer.from(text))
  const closeWindow = async () => {
    waiting.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { sent, add, closeWindow, merger, waiting }
}

test('the first chunk is not delayed, what follows closely is one message', async () => {
  const { sent, add, closeWindow } = start()
  for (const text of ['a', 'b', 'c']) add(text)
  expect(sent).toEqual(['a'])
  await closeWindow()
  expect(sent).toEqual(['a', 'bc'])
})

test('after a quiet window the next chunk goes at once again', async () => {
  const { sent, add, closeWindow, waiting } = start()
  add('a')
  await closeWindow()
  expect(waiting).toHaveLength(0)
  add('b')
  expect(sent).toEqual(['a', 'b'])
})

test('a full message does not wait, and none is longer than 32 KiB', () => {
  const { sent, add } = start()
  add('x')
  add('y'.repeat(20_000))
  expect(sent).toHaveLength(1)
  add('y'.repeat(50_000))
  expect(sent.map(({ length }) => length)).toEqual([1, 32_768, 32_768, 4_464])
})

test('what is collected can be sent before its time', () => {
  const { sent, add, merger } = start()
  add('a')
  add('b')
  merger.flush()
  expect(sent).toEqual(['a', 'b'])
})
