import { describe, expect, test } from 'vitest'
import { AppError } from '../../errors.ts'
import type { FileAbility, FileEntry, FileSession } from '../types.ts'
import { createFileController, keepPath, pastPaths } from './controller.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const none = { read: () => undefined, write: () => undefined }

/** A server with one folder and what its agent can. */
function setup(files: Readonly<Record<string, Uint8Array>>, abilities: readonly FileAbility[] = []) {
  const sent = new Map<string, Uint8Array>()
  const asked: string[] = []
  const entries = Object.keys(files).map((name): FileEntry => ({ name, kind: name === 'dir' ? 'folder' : 'file' }))
  const contentOf = (path: string) => {
    const bytes = files[path.slice('/srv/'.length)]
    if (!bytes) throw new AppError('failed', { text: 'no such file' })
    return bytes
  }
  const session = {
    abilities: async () => new Set(abilities),
    list: async () => ({ path: '/srv', entries, isElsewhere: false, isCut: false }),
    details: async () => ({
      path: '/srv',
      entries: entries.map((entry) => ({ ...entry, size: files[entry.name]!.length, modified: 1 })),
      isElsewhere: false,
      isCut: false,
    }),
    async download(path, sink, { onProgress } = {}) {
      asked.push(path)
      const bytes = contentOf(path)
      await sink.begin?.(bytes.length)
      await sink.write(bytes)
      onProgress?.({ done: bytes.length, total: bytes.length, stalled: false })
      return { size: bytes.length, grew: false }
    },
    async upload(path, source) {
      sent.set(path, (await source.read(0, source.size)).slice())
      return { path, size: source.size, sha256: 'sum' }
    },
    async readRange(path, { offset, length }) {
      const bytes = contentOf(path)
      const part = bytes.subarray(Math.max(0, bytes.length + offset)).subarray(0, length)
      return { bytes: part, offset: 0, sha256: '', isAll: true }
    },
    close: () => undefined,
  } as Partial<FileSession> as FileSession
  const failed: string[] = []
  const onFailed = ({ code }: AppError) => void failed.push(code)
  const controller = createFileController({ session, server: 1, remembered: none, now: () => 0, onFailed })
  return { controller, sent, asked, failed }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))
const ours: readonly FileAbility[] = ['details', 'read', 'resume']

describe('the files of a server', () => {
  test('sizes stand beside names only where the agent announces them', async () => {
    const old = setup({ a: bytesOf('x') })
    await old.controller.browser.go('')
    expect(old.controller.browser.state().entries).toEqual([{ name: 'a', kind: 'file' }])
    const own = setup({ a: bytesOf('x') }, ours)
    await own.controller.browser.go('')
    expect(own.controller.browser.state().entries[0]).toMatchObject({ size: 1 })
    expect(own.controller.can().has('details')).toBe(true)
  })

  test('a preview reads the last 64 KiB where the agent can, and small files whole where it cannot', async () => {
    const log = bytesOf(`${'x'.repeat(99_999)}\nend`)
    const own = setup({ log }, ours)
    await own.controller.browser.go('')
    const { preview } = await own.controller.preview('/srv/log', { name: 'log', kind: 'file', size: log.length })
    expect(preview).toEqual({ kind: 'text', text: 'end', isWhole: false })
    expect(own.asked).toEqual([])
    const old = setup({ log })
    await old.controller.browser.go('')
    expect((await old.controller.preview('/srv/log', { name: 'log', kind: 'file' })).preview).toEqual(preview)
  })

  test('what is too large to be held is refused before its bytes come', async () => {
    const { controller, asked } = setup({ big: new Uint8Array(9 * 1024 * 1024) })
    await controller.browser.go('')
    await expect(controller.preview('/srv/big', { name: 'big', kind: 'file' })).rejects.toMatchObject({
      code: 'tooLarge',
    })
    expect(asked).toEqual(['/srv/big'])
  })

  test('a download goes to its sink, which is told whether all of it came', async () => {
    const { controller, failed } = setup({ a: bytesOf('content') })
    await controller.browser.go('')
    const ends: [string, boolean][] = []
    const written: string[] = []
    const open = async (name: string) => ({
      sink: { write: (bytes: Uint8Array) => void written.push(new TextDecoder().decode(bytes)) },
      end: async (isWhole: boolean) => void ends.push([name, isWhole]),
    })
    controller.download([...controller.browser.state().entries, { name: 'gone', kind: 'file' }], open)
    await expect.poll(() => controller.queue.isBusy()).toBe(false)
    expect(written).toEqual(['content'])
    expect(ends).toEqual([
      ['a', true],
      ['gone', false],
    ])
    expect(controller.queue.list().map(({ state, moved }) => [state, moved])).toEqual([
      ['done', 7],
      ['failed', 0],
    ])
    expect(failed).toHaveLength(1)
  })

  test('an upload goes to the folder shown, tells its checksum, and the folder is read anew', async () => {
    const { controller, sent } = setup({ a: bytesOf('x') })
    await controller.browser.go('')
    const bytes = bytesOf('hello')
    controller.upload([{ file: { name: 'up', size: 5, read: async () => bytes }, name: 'up (2)' }])
    await expect.poll(() => controller.queue.isBusy()).toBe(false)
    await settle()
    expect(new TextDecoder().decode(sent.get('/srv/up (2)'))).toBe('hello')
    expect(controller.queue.list()[0]).toMatchObject({ state: 'done', result: 'sum', moved: 5 })
  })

  test('a folder under the cursor is entered, a file is handed back', async () => {
    const { controller } = setup({ dir: bytesOf(''), file: bytesOf('x') })
    await controller.browser.go('')
    expect(await controller.openEntry()).toBeNull()
    controller.browser.moveTo(1)
    expect((await controller.openEntry())?.name).toBe('file')
  })
})

test('paths are kept by server, the last one first and once', () => {
  const stored = new Map<string, unknown>()
  const remembered = {
    read: (_key: 'main' | 'notification' | 'server', part: string) => stored.get(part),
    write: (_key: 'main' | 'notification' | 'server', part: string, value: unknown) => void stored.set(part, value),
  }
  for (const path of ['/a', '/b', '/a']) keepPath(remembered, 7, path)
  keepPath(remembered, 8, '/other')
  expect(pastPaths(remembered, 7)).toEqual(['/a', '/b'])
  for (let index = 0; index < 30; index++) keepPath(remembered, 7, `/n${index}`)
  expect(pastPaths(remembered, 7)).toHaveLength(20)
  stored.set('paths:9', 'nonsense')
  expect(pastPaths(remembered, 9)).toEqual([])
})
