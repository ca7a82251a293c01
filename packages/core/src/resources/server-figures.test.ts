import { expect, test } from 'vitest'
import { type AnyRow, fieldOf, fieldValue, type SayContext, type View } from '../define/index.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { server } from './server.ts'
import { diskNote, longerLoads, usedOf } from './server-figures.ts'

const say = async (): Promise<SayContext> =>
  ({
    translator: createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } }),
    format: {
      bytes: (value: number) => `${value} B`,
      number: (value: number) => String(value),
      percent: (value: number) => `${value}%`,
    },
    view: { now: 0 },
  }) as unknown as SayContext

test('issue 36.2: the figure of the disks says which of them are not in it', async () => {
  const host = { disk_total: 500, silent_disks: ['/mnt/nfs', '/data'] }
  const row = server.read.parse({ id: 1, name: 'web-1', host, state: { disk_used: 100 } })
  expect(diskNote(row, await say())).toBe('100 B of 500 B · /mnt/nfs doesn’t respond · /data doesn’t respond')
  const dead = server.read.parse({ id: 1, name: 'web-1', host: { silent_disks: ['/'] }, state: {} })
  expect(diskNote(dead, await say())).toBe('/ doesn’t respond')
})

test('issue 40: the disk names the fullest filesystem of a server that is online', async () => {
  const note = async (watched: object, seconds = 0) => {
    const last_active = new Date(seconds * 1000).toISOString()
    return diskNote(server.read.parse({ id: 1, name: 'web-1', host: {}, state: {}, last_active, watched }), await say())
  }
  expect(await note({ fs_used_max: 93, fullest: '/var' })).toBe('/var 93%')
  expect(await note({ fs_used_max: 93, fullest: '/var' }, -31)).toBe('')
  expect(await note({ fs_used_max: 93 })).toBe('')
})

test('issue 36.1: no loads of a host that can’t measure them', async () => {
  const row = (host: object) => server.read.parse({ id: 1, name: 'web-1', host, state: { load_5: 2, load_15: 3 } })
  expect(longerLoads(row({ arch: 'x86_64' }), await say())).toContain('2')
  expect(longerLoads(row({ arch: 'x86_64', unmeasured: ['load'] }), await say())).toBe('')
})

test('a server that hasn’t reported since the server started has no figures, whatever is known of its machine', async () => {
  const host = { arch: 'x86_64', mem_total: 1000, disk_total: 500, swap_total: 100 }
  const never = server.read.parse({ id: 1, name: 'web-1', host, state: {} })
  const view = { now: 0, trend: () => [] } as unknown as View
  const measured = Object.keys(server.derived).filter((name) => {
    const { kind, live } = fieldOf(server, name)
    return live && ['percent', 'rate', 'bytes', 'number', 'duration'].includes(kind)
  })
  const valuesOf = (row: AnyRow) =>
    Object.fromEntries(measured.map((name) => [name, fieldValue(server, row, name, view)]))
  expect(measured).toEqual(expect.arrayContaining(['cpu', 'memory', 'swap', 'disk', 'net_in', 'load', 'uptime']))
  expect(valuesOf(never)).toEqual(Object.fromEntries(measured.map((name) => [name, null])))
  expect(usedOf('mem_used', 'mem_total')(never, await say())).toBe('1000 B')
  expect(longerLoads(never, await say())).toBe('')
  // A zero of a sample is absent on the wire.
  const idle = server.read.parse({ id: 1, name: 'web-1', host, state: { uptime: 5 } })
  expect(valuesOf(idle)).toMatchObject({ cpu: 0, memory: 0, disk: 0, load: 0, uptime: 5 })
})
