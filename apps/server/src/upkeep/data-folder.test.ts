import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Refusal } from '../kernel/errors.ts'
import { holdDataFolder } from './data-folder.ts'

test.each(['/proc/nothing/data', '/dev/null/data'])('%s cannot be made: refused at once', async (folder) => {
  await expect(holdDataFolder(folder)).rejects.toThrow(Refusal)
  await expect(holdDataFolder(folder)).rejects.toThrow(`cannot write to the data folder ${folder}`)
})

test('a folder is made with all its parents, for its owner only', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'qd-data-folder-'))
  const release = await holdDataFolder(join(parent, 'a/b'))
  expect(statSync(join(parent, 'a/b')).mode & 0o777).toBe(0o700)
  release()
  rmSync(parent, { recursive: true })
})
