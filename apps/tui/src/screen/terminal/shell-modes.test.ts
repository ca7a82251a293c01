import { expect, test } from 'vitest'
import { createShellModes } from './shell-modes.ts'

const after = (...pieces: string[]) => {
  const modes = createShellModes()
  for (const piece of pieces) modes.see(Buffer.from(piece))
  return modes.off()
}

test.each([
  [['$ ls\r\n'], '\u001b[0m'],
  [['\u001b[?1049h\u001b[?25l'], '\u001b[?1049l\u001b[?25h\u001b[0m'],
  [['\u001b[?1000h\u001b[?1000l'], '\u001b[0m'],
  [['\u001b[?1002;1006h'], '\u001b[?1002l\u001b[?1006l\u001b[0m'],
  [['\u001b=', '\u001b[?20', '04h'], '\u001b[?2004l\u001b>\u001b[0m'],
  [['\u001b', '[?1h'], '\u001b[?1l\u001b[0m'],
])('T-27 what a program left on after %j is ended', (pieces, expected) => {
  expect(after(...pieces)).toBe(expected)
})
