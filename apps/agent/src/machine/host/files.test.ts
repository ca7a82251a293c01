import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { entriesOnBun } from './files.ts'

test.skipIf(process.platform !== 'linux')(
  'on Bun only entries whose names are not UTF-8 are looked at, one after the other',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bun-entries-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const at = (name: string) => Buffer.from(join(folder, name), 'latin1')
    mkdirSync(join(folder, 'inner'))
    mkdirSync(join(folder, '\u00fcber'))
    symlinkSync('inner', join(folder, 'link'))
    writeFileSync(join(folder, 'one'), '')
    // Two names that are the same text.
    mkdirSync(at('\xff'))
    writeFileSync(at('\xfe'), '')

    let [asked, together, most] = [0, 0, 0]
    const found = await entriesOnBun(Buffer.from(folder), {
      readdir,
      async lstat(path) {
        asked += 1
        together += 1
        most = Math.max(most, together)
        const stats = await lstat(path)
        together -= 1
        return stats
      },
    })
    expect(Object.fromEntries(found.map(({ bytes, isFolder }) => [bytes.toString('latin1'), isFolder]))).toEqual({
      inner: true,
      [Buffer.from('\u00fcber').toString('latin1')]: true,
      link: false,
      one: false,
      '\xff': true,
      '\xfe': false,
    })
    expect({ asked, most }).toEqual({ asked: 2, most: 1 })
  },
)
