import { IOStreamData, Receipt } from '@qd/protocol/agent'
import { expect, test } from 'vitest'
import { serviceDefinition } from './service.ts'

test.each([0, 1, 127, 128, 16_383, 16_384, 1024 * 1024, 1024 * 1024 + 1])(
  'a relayed piece of %i bytes is copied as the message that it is',
  (size) => {
    const data = Buffer.alloc(size, 'abc')
    const message = serviceDefinition.IOStream!.responseSerialize({ data })
    const framed = Buffer.alloc(5 + message.byteLength)
    message.copy(framed, 5)
    expect(framed.subarray(5).equals(IOStreamData.encode({ data }).finish())).toBe(true)
  },
)

test('the receipt of reports is encoded once, and what differs is not', () => {
  const { responseSerialize } = serviceDefinition.ReportSystemState!
  const receipt = { proced: true }
  const bytes = responseSerialize(receipt)
  expect(bytes.equals(Receipt.encode(receipt).finish())).toBe(true)
  expect(responseSerialize(receipt)).toBe(bytes)
  expect(responseSerialize({ proced: false })).toHaveLength(0)
  expect(responseSerialize(receipt)).toEqual(bytes)
})
