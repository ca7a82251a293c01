import { expect, test } from 'vitest'
import type { SayContext } from '../define/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { server } from './server.ts'
import { diskNote, longerLoads } from './server-figures.ts'

const say = async (): Promise<SayContext> =>
  ({
    translator: createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } }),
    format: { bytes: (value: number) => `${value} B`, number: (value: number) => String(value) },
  }) as unknown as SayContext

test('issue 36.2: the figure of the disks says which of them are not in it', async () => {
  const host = { disk_total: 500, silent_disks: ['/mnt/nfs', '/data'] }
  const row = server.read.parse({ id: 1, name: 'web-1', host, state: { disk_used: 100 } })
  expect(diskNote(row, await say())).toBe('100 B of 500 B · /mnt/nfs doesn’t respond · /data doesn’t respond')
  const dead = server.read.parse({ id: 1, name: 'web-1', host: { silent_disks: ['/'] }, state: {} })
  expect(diskNote(dead, await say())).toBe('/ doesn’t respond')
})

test('issue 36.1: no loads of a host that can’t measure them', async () => {
  const row = (host: object) => server.read.parse({ id: 1, name: 'web-1', host, state: { load_5: 2, load_15: 3 } })
  expect(longerLoads(row({ arch: 'x86_64' }), await say())).toContain('2')
  expect(longerLoads(row({ arch: 'x86_64', unmeasured: ['load'] }), await say())).toBe('')
})
