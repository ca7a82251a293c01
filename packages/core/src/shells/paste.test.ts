import { expect, test } from 'vitest'
import { pasteBytes, readPaste } from './paste.ts'

const sent = (text: string, bracketed: boolean) =>
  new TextDecoder().decode(pasteBytes(readPaste(text, { bracketed }), { bracketed }))

test('W-05 line ends of all systems become what Enter sends', () => {
  expect(readPaste('a\r\nb\nc\rd', { bracketed: true }).text).toBe('a\rb\rc\rd')
})

test('W-05 several lines ask only where the shell knows no bracketed paste', () => {
  expect(readPaste('one\ntwo', { bracketed: false })).toMatchObject({ runsLines: true, lines: 2 })
  expect(readPaste('one\n', { bracketed: false })).toMatchObject({ runsLines: true, lines: 1 })
  expect(readPaste('one', { bracketed: false })).toMatchObject({ runsLines: false, lines: 1 })
  expect(readPaste('one\ntwo', { bracketed: true })).toMatchObject({ runsLines: false })
})

test('W-05 the limit counts bytes, not characters', () => {
  expect(readPaste('é'.repeat(256 * 1024), { bracketed: false }).isTooLarge).toBe(false)
  expect(readPaste(`é${'é'.repeat(256 * 1024)}`, { bracketed: false }).isTooLarge).toBe(true)
})

test('W-05 a bracketed paste cannot be ended by its own text', () => {
  expect(sent('ls\u001b[201~rm', true)).toBe('\u001b[200~lsrm\u001b[201~')
  expect(sent('ls', false)).toBe('ls')
})
