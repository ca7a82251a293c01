import { expect, test } from 'vitest'
import { forTarget, forVisitor } from './nat-relay.ts'

test.each([
  ['Authorization goes', ['Authorization', 'Bearer x', 'X-A', '1'], ['X-A', '1', 'Connection', 'close']],
  [
    'our cookies go, others stay',
    ['Cookie', 'nz-jwt=secret; a=b; nz-csrf=other'],
    ['Cookie', 'a=b', 'Connection', 'close'],
  ],
  ['nothing is left of a header with our cookies alone', ['cookie', 'nz-jwt=secret'], ['Connection', 'close']],
  [
    'what belongs to the connection goes',
    ['Host', 'n.test', 'Keep-Alive', '5', 'TE', 'trailers', 'Connection', 'keep-alive', 'Expect', '100-continue'],
    ['Host', 'n.test', 'Connection', 'close'],
  ],
  [
    'an upgrade stays one',
    ['Upgrade', 'websocket', 'Connection', 'upgrade'],
    ['Upgrade', 'websocket', 'Connection', 'Upgrade'],
  ],
  [
    'a body of unknown length stays one',
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'close', 'Transfer-Encoding', 'chunked'],
  ],
  [
    'nothing is added, what a proxy added stays',
    ['X-Forwarded-For', '198.51.100.1'],
    ['X-Forwarded-For', '198.51.100.1', 'Connection', 'close'],
  ],
])('to the target: %s', (_name, raw, wanted) => expect(forTarget(raw)).toEqual(wanted))

test('to the visitor: no cookie that would be ours', () => {
  const raw = [
    'Set-Cookie',
    'a=b',
    'Set-Cookie',
    'nz-jwt=forged; Domain=example.com',
    'Connection',
    'close',
    'ETag',
    '1',
  ]
  expect(forVisitor(raw)).toEqual(['Set-Cookie', 'a=b', 'ETag', '1'])
})
