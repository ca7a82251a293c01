import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import type { FileSession } from '@qd/core/files'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { createSink, heldBytes, openFiles, sourceOf } from '../support/file-session.ts'
import { failWrites } from '../support/server/base.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'

let world: World
let browser: Browser
let agent: Agent
let serverId: number
let folder: string
let files: FileSession
beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
  agent = startTestAgent(world, { config: { client_secret: siteSecret } })
  const { container } = world.server
  await vi.waitFor(() => {
    serverId = container.servers.all()[0]!.id
    expect(container.agents.connected(serverId)).toBe(true)
    expect(container.live.hostOf(serverId).version).toContain('+qd.')
  }, 30_000)
})
afterAll(async () => {
  await agent.stop()
  await world.close()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-files-'))
  files = openFiles(world, browser, serverId)
})
afterEach(async () => {
  files.close()
  await vi.waitFor(() => expect(world.server.container.streams.count()).toBe(0), 30_000)
  rmSync(folder, { recursive: true, force: true })
})

const at = (name: string) => join(folder, name)
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const upload = (name: string, bytes: Uint8Array, options = {}) => files.upload(at(name), sourceOf(bytes), options)
const take = async (name: string, options = {}) => {
  const sink = createSink()
  const result = await files.download(at(name), sink, options)
  expect(sink.size()).toBe(result.size)
  return { bytes: sink.bytes(), ...result }
}
const isFailure = (text: string | RegExp) => ({ code: 'failed', params: { text: expect.stringMatching(text) } })

describe('a folder', () => {
  test('is listed with what is a folder; links are files, and details say what they are', async () => {
    mkdirSync(at('sub'))
    writeFileSync(at('.hidden'), 'x')
    writeFileSync(at('notes.txt'), 'hello')
    symlinkSync(at('sub'), at('link'))
    const { path, entries, isElsewhere, isCut } = await files.list(`${folder}/`)
    expect({ path, isElsewhere, isCut }).toEqual({ path: folder, isElsewhere: false, isCut: false })
    expect(entries).toEqual([
      { name: '.hidden', kind: 'file' },
      { name: 'link', kind: 'file' },
      { name: 'notes.txt', kind: 'file' },
      { name: 'sub', kind: 'folder' },
    ])
    const details = await files.details(folder)
    expect(details.entries).toContainEqual(
      expect.objectContaining({ name: 'notes.txt', kind: 'file', size: 5, modified: expect.any(Number) }),
    )
    expect(details.entries).toContainEqual(expect.objectContaining({ name: 'link', kind: 'link', target: at('sub') }))
  })

  test('W-19: one that cannot be read is answered with the home folder, and that is said', async () => {
    const { path, isElsewhere } = await files.list(at('missing'))
    expect({ path, isElsewhere }).toEqual({ path: homedir(), isElsewhere: true })
    expect(await files.list('~')).toMatchObject({ path: homedir(), isElsewhere: false })
    await expect(files.details(at('missing'))).rejects.toMatchObject(isFailure('file or directory does not exist'))
  })

  test('W-21: hostile names are listed and their files come over', async () => {
    const names = [
      'a b',
      '"quoted"',
      'line\nfeed',
      '-rf',
      '..\u202egpj.exe',
      '<img src=x>',
      'x'.repeat(255),
      '🙂',
      '~',
      '$(reboot)',
    ]
    for (const name of names) writeFileSync(at(name), name)
    const raw = Buffer.concat([Buffer.from(`${folder}/bad-`), Buffer.of(0xff, 0xfe)])
    writeFileSync(raw, 'no utf-8')
    const { entries } = await files.list(folder)
    const bad = 'bad-\udcff\udcfe'
    expect(entries.map(({ name }) => name).toSorted()).toEqual([...names, bad].toSorted())
    for (const name of names) expect(String((await take(name)).bytes)).toBe(name)
    expect(String((await take(bad)).bytes)).toBe('no utf-8')
    expect(await files.checksum(at(bad))).toMatchObject({ size: 8 })
    await files.rename(at(bad), at('good'))
    expect(readFileSync(at('good'), 'utf8')).toBe('no utf-8')
  })

  test('W-22: a listing above 1 MiB comes whole', async () => {
    for (let count = 0; count < 8_000; count += 1)
      writeFileSync(at(`${'a file with a long name '.repeat(7)}${count}`), '')
    const { entries, isCut } = await files.list(folder)
    expect([entries.length, isCut]).toEqual([8_000, false])
  })
})

describe('a transfer', () => {
  test('files of all sizes come over as they are, both ways', async () => {
    for (const size of [0, 1, 4096, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 17 * 1024 * 1024 + 3]) {
      const bytes = randomBytes(size)
      expect(await upload('file', bytes)).toEqual({ path: at('file'), size, sha256: sha(bytes) })
      expect(sha(readFileSync(at('file')))).toBe(sha(bytes))
      const taken = await take('file')
      expect({ ...taken, bytes: sha(taken.bytes) }).toEqual({ bytes: sha(bytes), size, grew: false })
      expect(await files.checksum(at('file'))).toMatchObject({ size, sha256: sha(bytes) })
    }
    expect(readdirSync(folder)).toEqual(['file'])
  })

  test('chunks that begin like errors or requests are data', async () => {
    for (const mark of ['NERRboom', 'NZTD', 'NZUP', 'NZFN', 'NZQD{}', '\x00', '\x01/etc/passwd', '\x02']) {
      const bytes = Buffer.alloc(1024 * 1024 + 100, mark)
      await upload('marks', bytes)
      expect((await take('marks')).bytes.equals(bytes)).toBe(true)
      const small = Buffer.from(mark)
      await upload('small', small)
      expect((await take('small')).bytes.equals(small)).toBe(true)
    }
  })

  test('goes on where it broke off, both ways', async () => {
    const bytes = randomBytes(20 * 1024 * 1024)
    const stop = new AbortController()
    const broken = upload('file', bytes, {
      signal: stop.signal,
      onProgress: ({ done }: { done: number }) => void (done > 12 * 1024 * 1024 && stop.abort()),
    })
    await expect(broken).rejects.toMatchObject({ code: 'cancelled' })
    expect(existsSync(at('file'))).toBe(false)
    await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1), 30_000)
    const first: number[] = []
    const done = await upload('file', bytes, {
      resume: true,
      onProgress: ({ done }: { done: number }) => void first.push(done),
    })
    expect(done.sha256).toBe(sha(bytes))
    expect(first[0]).toBeGreaterThan(8 * 1024 * 1024)
    expect(readdirSync(folder)).toEqual(['file'])
    expect((await take('file', { offset: 20_000_000 })).bytes.equals(bytes.subarray(20_000_000))).toBe(true)
  })

  test('an upload keeps what is there until all of it has come, with its mode and through a link', async () => {
    writeFileSync(at('script'), 'old', { mode: 0o750 })
    symlinkSync(at('script'), at('link'))
    await upload('link', Buffer.from('new'))
    expect(readFileSync(at('script'), 'utf8')).toBe('new')
    expect((statSync(at('script')).mode & 0o777).toString(8)).toBe('750')
    expect(readdirSync(folder)).toEqual(['link', 'script'])
    const stop = new AbortController()
    const source = {
      size: 3_000_000,
      async read(_: number, length: number) {
        stop.abort()
        return Buffer.alloc(length)
      },
    }
    await expect(files.upload(at('script'), source, { signal: stop.signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual(['link', 'script']), 30_000)
    expect(readFileSync(at('script'), 'utf8')).toBe('new')
  })

  test('W-27: a taken name is refused, or both are kept', async () => {
    await upload('a.txt', Buffer.from('1'))
    await expect(upload('a.txt', Buffer.from('2'), { conflict: 'fail' })).rejects.toMatchObject({ code: 'fileExists' })
    expect(await upload('a.txt', Buffer.from('2'), { conflict: 'keep-both' })).toMatchObject({ path: at('a (2).txt') })
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('1')
  })

  test('a file that shrinks while it is read fails, one that grows is taken as long as it was', async () => {
    writeFileSync(at('log'), randomBytes(48 * 1024 * 1024))
    const change = (size: number) => {
      let isDone = false
      return {
        write() {
          if (!isDone) truncateSync(at('log'), size)
          isDone = true
        },
      }
    }
    await expect(files.download(at('log'), change(1000))).rejects.toSatisfy(
      ({ code, params }) => code === 'fileShrank' || /became shorter/.test(params.text),
    )
    truncateSync(at('log'), 48 * 1024 * 1024)
    expect(await files.download(at('log'), change(49 * 1024 * 1024))).toEqual({ size: 48 * 1024 * 1024, grew: true })
  })

  test('W-29: refusals come in the agent’s words', async () => {
    mkdirSync(at('sub'))
    await expect(take('nowhere')).rejects.toMatchObject({ code: 'notFound', params: { path: at('nowhere') } })
    await expect(take('sub')).rejects.toMatchObject(isFailure('is a directory'))
    await expect(upload('sub', Buffer.from('x'))).rejects.toMatchObject(isFailure('is a directory'))
    await expect(upload('no/such/x', Buffer.from('x'))).rejects.toMatchObject(isFailure('no such file or directory'))
    await expect(files.upload('/dev/full', sourceOf(Buffer.alloc(5_000_000)))).rejects.toMatchObject(
      isFailure('no space left on device'),
    )
    expect(await take('sub/../sub/..').catch(({ code }) => code)).toBe('failed')
  })

  test('the agent gone in mid-transfer is told', async () => {
    writeFileSync(at('big'), randomBytes(40 * 1024 * 1024))
    const sink = { write: () => void world.server.container.agents.disconnect(serverId, 'test') }
    await expect(files.download(at('big'), sink)).rejects.toMatchObject({ code: 'streamEnded' })
    await vi.waitFor(() => expect(world.server.container.agents.connected(serverId)).toBe(true), 30_000)
  })

  test('S-51: a slow reader holds the agent back, and the server keeps little', async () => {
    writeFileSync(at('big'), '')
    truncateSync(at('big'), 60 * 1024 * 1024)
    const before = heldBytes()
    let most = 0
    let written = 0
    let looked = 0
    const { size } = await files.download(at('big'), {
      async write(bytes) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        written += bytes.length
        // A look collects all memory of this process twice, which takes up to a second.
        if (written - looked < 10 * 1024 * 1024) return
        looked = written
        most = Math.max(most, heldBytes() - before)
      },
    })
    expect(looked).toBeGreaterThan(50 * 1024 * 1024)
    expect(size).toBe(60 * 1024 * 1024)
    expect(most).toBeLessThan(20 * 1024 * 1024)
  })
})

describe('the rest', () => {
  test('parts of a file, from its end too', async () => {
    writeFileSync(at('log'), '0123456789')
    const { bytes, ...rest } = await files.readRange(at('log'), { offset: 2, length: 3 })
    expect([String(Buffer.from(bytes)), rest]).toEqual([
      '234',
      { offset: 2, sha256: sha(Buffer.from('234')), isAll: false },
    ])
    const tail = await files.readRange(at('log'), { offset: -4, length: 100 })
    expect([String(Buffer.from(tail.bytes)), tail.offset, tail.isAll]).toEqual(['6789', 6, true])
  })

  test('folders are made, renamed and deleted', async () => {
    for (let time = 0; time < 2; time += 1) await files.makeFolder(at('made'))
    writeFileSync(at('file'), 'x')
    await expect(files.makeFolder(at('file'))).rejects.toMatchObject(isFailure('file exists'))
    await expect(files.rename(at('file'), at('made'))).rejects.toMatchObject(isFailure('file exists'))
    await files.rename(at('file'), at('made/file'))
    await expect(files.remove(at('made'))).rejects.toMatchObject({ code: 'failed' })
    expect(await files.remove(at('made'), { recursive: true })).toBe(2)
    expect(readdirSync(folder)).toEqual([])
    await expect(files.remove('/', { recursive: true })).rejects.toMatchObject(isFailure('refusing to delete root'))
  })

  test('the audit log says who took, put and deleted which file', async () => {
    await upload('secret.txt', Buffer.from('x'))
    await take('secret.txt')
    await files.remove(at('secret.txt'))
    await vi.waitFor(async () => {
      const { value } = (await browser.api('GET', 'audit')) as { value: { action: string }[] }
      const { name: names } = world.server.container.servers.find(serverId)!
      const target = `${serverId} ${at('secret.txt')}`
      for (const action of ['file upload', 'file download', 'file delete'])
        expect(value).toContainEqual(expect.objectContaining({ action, target, names }))
    }, 30_000)
  })

  test('a call that deletes a file waits for its audit entry, and says that it isn’t stored', async () => {
    const { db } = world.server.container
    const remove = (name: string) => {
      writeFileSync(at(name), 'x')
      return browser.send('POST', '/api/v1/file/delete', { body: { server_id: serverId, path: at(name) } })
    }
    const letThrough = await failWrites(db, 'audit', 'insert')
    expect((await remove('first')).body.code).toBe('internal')
    await letThrough()
    expect((await remove('second')).body.success).toBe(true)
    const entries = await db.selectFrom('audit').select('target').where('action', '=', 'file delete').execute()
    expect(entries).toContainEqual({ target: `${serverId} ${at('second')}` })
  })

  test('what the agent can is announced; an open session counts until it is closed', async () => {
    const { container } = world.server
    expect(await files.abilities()).toEqual(
      new Set(['details', 'read', 'delete', 'checksum', 'folders', 'rename', 'resume']),
    )
    expect(container.streams.count()).toBe(1)
  })
})
