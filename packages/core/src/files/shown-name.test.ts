import { expect, test } from 'vitest'
import { pathShownAs, shownName } from './shown-name.ts'

test.each([
  ['script stays a text', '<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['commands for a terminal', 'a\u001b[2Jb\u0007', 'a\u241b[2Jb\u2407'],
  ['a line end', 'a\nb', 'a\u240ab'],
  ['a turned direction of writing', 'txt.\u202egpj.exe', 'txt.\ufffdgpj.exe'],
  ['bytes that are no UTF-8', 'a\udcff', 'a\\xff'],
  ['a lone half of a sign', 'a\ud800', 'a\ufffd'],
  ['letters and pictures of all languages', 'h\u00e4 \u4e2d\u6587 \ud83d\ude42', 'h\u00e4 \u4e2d\u6587 \ud83d\ude42'],
])('S-23, S-40 a name of a file on screens: %s', (_what, name, shown) => expect(shownName(name)).toBe(shown))

test('issue 36.19 a path is read as it is shown, and stays as typed where that says nothing or too much', async () => {
  const folders: Readonly<Record<string, string[]>> = {
    '/': ['a\nb', 'plain'],
    '/a\nb': ['x\udce9', 'y\ud800', 'y\ud801', 'z\n', 'z\u240a'],
  }
  const asked: string[] = []
  const list = async (folder: string) => {
    asked.push(folder)
    const names = folders[folder]
    if (!names) throw new Error('no such folder')
    return { entries: names.map((name) => ({ name })) }
  }
  expect(await pathShownAs('/plain/file', list)).toBe('/plain/file')
  expect(asked).toEqual([])
  expect(await pathShownAs('/a\u240ab/x\\xe9', list)).toBe('/a\nb/x\udce9')
  expect(await pathShownAs('/a\u240ab/y\ufffd', list)).toBe('/a\nb/y\ufffd')
  expect(await pathShownAs('/a\u240ab/z\u240a', list)).toBe('/a\nb/z\u240a')
  expect(await pathShownAs('nowhere/x\u240a', list)).toBe('nowhere/x\u240a')
})
