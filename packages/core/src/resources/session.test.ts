import { expect, test } from 'vitest'
import { titleOf } from '../define/index.ts'
import { deviceOf, session } from './session.ts'

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    'Chrome, Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0',
    'Edge, Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1',
    'Safari, iOS',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox, macOS'],
  ['qd/0.1.0', 'qd/0.1.0'],
  ['', ''],
])('%s is %s', (client, device) => expect(deviceOf(client)).toBe(device))

test('issue 12.12: a session is known by its device, where it is ended too', () => {
  const row = session.read.parse({ id: 7, client: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/144.0' })
  expect(titleOf(session, row)).toBe('Firefox, Linux')
  expect(titleOf(session, session.read.parse({ id: 7 }))).toBe('#7')
})
