import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProtocolError, toBytes } from '../bytes.ts'
import { maxTransferBytes, parseTransferMessage } from './task-transfer.ts'

const zeros = new Uint8Array(32)

test('each message of task 20 is read (agent contract 11)', () => {
  expect(parseTransferMessage(toBytes('NZTU', { u64: 7n }))).toEqual({ kind: 'ready', size: 7 })
  expect(parseTransferMessage(toBytes('NZTD', { u64: 7n }, zeros))).toEqual({ kind: 'begin', size: 7 })
  expect(parseTransferMessage(toBytes('NZTC', { u64: 2n }, Uint8Array.of(1, 2)))).toEqual({
    kind: 'data',
    bytes: Uint8Array.of(1, 2),
  })
  expect(parseTransferMessage(toBytes('NZTO', { u64: 7n }, zeros))).toEqual({ kind: 'done', size: 7, sha256: null })
  expect(parseTransferMessage(toBytes('NZTO', { u64: 7n }, zeros.with(31, 10)))).toEqual({
    kind: 'done',
    size: 7,
    sha256: `${'00'.repeat(31)}0a`,
  })
  expect(parseTransferMessage(toBytes('NZTE', 'sha256 mismatch'))).toEqual({ kind: 'error', text: 'sha256 mismatch' })
})

test.each([
  ['a piece of no bytes', toBytes('NZTC', { u64: 0n })],
  ['a piece that is shorter than it says', toBytes('NZTC', { u64: 3n }, Uint8Array.of(1))],
  ['more bytes than a file may have', toBytes('NZTD', { u64: BigInt(maxTransferBytes + 1) }, zeros)],
  ['another mark', toBytes('NZFN', { u64: 1n })],
  ['a checksum that is cut', toBytes('NZTO', { u64: 1n }, Uint8Array.of(1))],
])('%s is refused', (_, bytes) => {
  expect(() => parseTransferMessage(bytes)).toThrow(ProtocolError)
})

test('whatever comes is read or refused, and nothing else happens', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('NZTU', 'NZTD', 'NZTC', 'NZTO', 'NZTE', 'x'),
      fc.uint8Array({ maxLength: 60 }),
      (mark, rest) => {
        try {
          parseTransferMessage(toBytes(mark, rest))
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
      },
    ),
  )
})
