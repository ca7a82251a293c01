import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  keepaliveFrame,
  parseAttachFrame,
  parseTerminalFrame,
  toAttachFrame,
  toInputFrame,
  toResizeFrame,
} from './stream-frames.ts'

const size = { cols: fc.integer({ min: 2, max: 1000 }), rows: fc.integer({ min: 2, max: 500 }) }

test('frames are read back as they were written', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.record(size), fc.uuid(), (bytes, terminal, id) => {
      expect(parseTerminalFrame(toInputFrame(bytes))).toEqual({ kind: 'input', bytes })
      expect(parseTerminalFrame(toResizeFrame(terminal))).toEqual({ kind: 'resize', ...terminal })
      expect(parseAttachFrame(toAttachFrame(id))).toBe(id)
    }),
  )
})

test('no bytes make a terminal frame throw', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void parseTerminalFrame(bytes)))
})

test.each([
  ['keepalive', keepaliveFrame],
  ['unknown opcode', Uint8Array.of(2, 1, 2)],
  ['size without JSON', new TextEncoder().encode('\x01{')],
  ['size that is no object', new TextEncoder().encode('\x01null')],
  ['size as text', new TextEncoder().encode('\x01{"Cols":"80","Rows":"24"}')],
  ['fractional size', new TextEncoder().encode('\x01{"Cols":80.5,"Rows":24}')],
  ['one row', toResizeFrame({ cols: 80, rows: 1 })],
  ['too many columns', toResizeFrame({ cols: 1001, rows: 24 })],
])('ignored: %s', (_name, bytes) => {
  expect(parseTerminalFrame(bytes)).toBeUndefined()
})

test('size keys are matched in any case', () => {
  expect(parseTerminalFrame(new TextEncoder().encode('\x01{"cols":80,"ROWS":24}'))).toMatchObject({
    cols: 80,
    rows: 24,
  })
})

test.each([
  ['two bytes', Uint8Array.of(0xff, 5)],
  ['other bytes', new TextEncoder().encode('hello')],
])('S-39 an attach frame of %s is refused', (_name, bytes) => {
  expect(() => parseAttachFrame(bytes)).toThrow()
})
