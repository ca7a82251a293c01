import { describe, expect, test } from 'vitest'
import { AppError } from '../../errors/index.ts'
import type { FileAbility, FileEntry, FileSession } from '../types.ts'
import { createFileDesk } from './desk.ts'

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
  const desk = createFileDesk({ session, server: 1, remembered: none, now: () => 0, onFailed })
  return { desk, sent, asked, failed }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))
const ours: readonly FileAbility[] = ['details', 'read', 'resume']

describe('the files of a server', () => {
  test('sizes stand beside names only where the agent announces them', async () => {
    const old = setup({ a: bytesOf('x') })
    await old.desk.browser.go('')
    expect(old.desk.browser.state().entries).toEqual([{ name: 'a', kind: 'file' }])
    const own = setup({ a: bytesOf('x') }, ours)
    await own.desk.browser.go('')
    expect(own.desk.browser.state().entries[0]).toMatchObject({ size: 1 })
    expect(own.desk.can().has('details')).toBe(true)
  })

  test('a look reads the last 64 KiB where the agent can, and small files whole where it cannot', async () => {
    const log = bytesOf(`${'x'.repeat(99_999)}\nend`)
    const own = setup({ log }, ours)
    await own.desk.browser.go('')
    const { look } = await own.desk.look('/srv/log', { name: 'log', kind: 'file', size: log.length })
    expect(look).toEqual({ kind: 'text', text: 'end', isWhole: false })
    expect(own.asked).toEqual([])
    const old = setup({ log })
    await old.desk.browser.go('')
    expect((await old.desk.look('/srv/log', { name: 'log', kind: 'file' })).look).toEqual(look)
  })

  test('what is too large to be held is refused before its bytes come', async () => {
    const { desk, asked } = setup({ big: new Uint8Array(9 * 1024 * 1024) })
    await desk.browser.go('')
    await expect(desk.look('/srv/big', { name: 'big', kind: 'file' })).rejects.toMatchObject({ code: 'tooLarge' })
    expect(asked).toEqual(['/srv/big'])
  })

  test('a download goes to its sink, which is told whether all of it came', async () => {
    const { desk, failed } = setup({ a: bytesOf('content') })
    await desk.browser.go('')
    const ends: [string, boolean][] = []
    const written: string[] = []
    const open = async (name: string) => ({
      sink: { write: (bytes: Uint8Array) => void written.push(new TextDecoder().decode(bytes)) },
      end: async (isWhole: boolean) => void ends.push([name, isWhole]),
    })
    desk.download([...desk.browser.state().entries, { name: 'gone', kind: 'file' }], open)
    await expect.poll(() => desk.queue.isBusy()).toBe(false)
    expect(written).toEqual(['content'])
    expect(ends).toEqual([
      ['a', true],
      ['gone', false],
    ])
    expect(desk.queue.list().map(({ state, moved }) => [state, moved])).toEqual([
      ['done', 7],
      ['failed', 0],
    ])
    expect(failed).toHaveLength(1)
  })

  test('an upload goes to the folder shown, tells its checksum, and the folder is read anew', async () => {
    const { desk, sent } = setup({ a: bytesOf('x') })
    await desk.browser.go('')
    const bytes = bytesOf('hello')
    desk.upload([{ file: { name: 'up', size: 5, read: async () => bytes }, name: 'up (2)' }])
    await expect.poll(() => desk.queue.isBusy()).toBe(false)
    await settle()
    expect(new TextDecoder().decode(sent.get('/srv/up (2)'))).toBe('hello')
    expect(desk.queue.list()[0]).toMatchObject({ state: 'done', told: 'sum', moved: 5 })
  })

  test('a folder under the cursor is entered, a file is handed back', async () => {
    const { desk } = setup({ dir: bytesOf(''), file: bytesOf('x') })
    await desk.browser.go('')
    expect(await desk.openEntry()).toBeNull()
    desk.browser.moveTo(1)
    expect((await desk.openEntry())?.name).toBe('file')
  })
})
