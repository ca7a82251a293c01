import { expect, test } from 'vitest'
import { readHostClipboard } from './host-clipboard.ts'

const encoded = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

test('W-07 the text of an OSC 52 sequence is read', () => {
  expect(readHostClipboard(`c;${encoded('grüße')}`)).toBe('grüße')
  expect(readHostClipboard(`;${encoded('x')}`)).toBe('x')
})

test('W-07 the clipboard is never told to the host, and nonsense is nothing', () => {
  for (const sequence of ['c;?', '?', 'c;', '', 'c;***', 'c;/w==', `c;${'A'.repeat(2 * 1024 * 1024)}`])
    expect(readHostClipboard(sequence)).toBeNull()
})
