import { expect, test } from 'vitest'
import { shownName } from './shown-name.ts'

test.each([
  ['script stays a text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['commands for a terminal', 'a\u001b[2Jb\u0007', 'a\u241b[2Jb\u2407'],
  ['a line end', 'a\nb', 'a\u240ab'],
  ['a turned direction of writing', 'txt.\u202egpj.exe', 'txt.\ufffdgpj.exe'],
  ['bytes that are no UTF-8', 'a\udcff', 'a\\xff'],
  ['a lone half of a sign', 'a\ud800', 'a\ufffd'],
  ['letters and pictures of all languages', 'h\u00e4 \u4e2d\u6587 \ud83d\ude42', 'h\u00e4 \u4e2d\u6587 \ud83d\ude42'],
])('S-23, S-40 a name of a file on screens: %s', (_what, name, shown) => expect(shownName(name)).toBe(shown))
