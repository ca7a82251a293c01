import { IOStreamData } from '@qd/protocol/agent'
import { expect, test } from 'vitest'
import { serviceDefinition } from './service.ts'

test.each([0, 1, 127, 128, 16_383, 16_384, 1024 * 1024, 1024 * 1024 + 1])(
  'a relayed piece of %i bytes is the message that it would be without the kept buffer',
  (size) => {
    const data = Buffer.alloc(size, 'abc')
    const bytes = serviceDefinition['IOStream']!.responseSerialize({ data })
    expect(bytes.equals(IOStreamData.encode({ data }).finish())).toBe(true)
  },
)
