import { IOStreamData } from '@qd/protocol/agent'
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
