import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import type { FileSession } from '@qd/core/files'
import { readText, saveText } from '@qd/core/files'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createSink, openFiles, sourceOf } from '../support/file-session.ts'
import { useQd } from '../support/replay/qd.ts'
import { admin, createWorld, siteSecret, type World } from '../support/world.ts'
import { startTestAgent } from './world.ts'

const qdIn = useQd()
let world: World
let browser: Browser
let agent: Agent
let files: FileSession
let folder: string
let socket: Server
let sleeper: ChildProcess

beforeAll(async () => {
  world = await createWorld()
  browser = await world.login()
  agent = startTestAgent(world, { config: { client_secret: siteSecret } })
  await vi.waitFor(() => expect(world.server.container.agents.connected(1)).toBe(true), 30_000)
  files = openFiles(world, browser, 1)
  folder = mkdtempSync(join(tmpdir(), 'qd-kernel-'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  symlinkSync('pipe', join(folder, 'link'))
  socket = createServer()
  await new Promise<void>((resolve) => socket.listen(join(folder, 'socket'), resolve))
  sleeper = spawn('sleep', ['600'], { stdio: 'ignore' })
})
afterAll(async () => {
  files.close()
  sleeper.kill()
  socket.close()
  await agent.stop()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const take = async (path: string) => {
  const sink = createSink()
  const { size } = await files.download(path, sink)
  return { size, announced: sink.size(), bytes: Buffer.from(sink.bytes()) }
}
const isFailure = (text: string) => ({ code: 'failed', params: { text: expect.stringMatching(text) } })

describe('issue 36.5: a file of the kernel', () => {
  test.each(['/proc/version', '/sys/class/net/lo/address'])(
    '%s comes whole, whatever the system says of its size',
    async (path) => {
      const content = readFileSync(path)
      expect(content.length).toBeGreaterThan(5)
      expect(await take(path)).toEqual({ size: content.length, announced: content.length, bytes: content })
      expect(await files.checksum(path)).toEqual({ size: content.length, sha256: sha(content) })
      expect(Buffer.from((await files.readRange(path, { offset: -6, length: 5 })).bytes)).toEqual(
        content.subarray(-6, -1),
      )
    },
  )

  test('one that is longer than a page comes whole', async () => {
    const { size, bytes } = await take('/proc/kallsyms')
    expect(size).toBe(bytes.length)
    expect(bytes.length).toBeGreaterThan(65_536)
    expect(bytes.toString().endsWith('\n')).toBe(true)
  })

  test('one without an end is refused', async () => {
    await expect(take(`/proc/${process.pid}/pagemap`)).rejects.toMatchObject(
      isFailure('pagemap: has no size and doesn’t end within 16 MiB'),
    )
  })

  test('one is edited: read, compared and written', async () => {
    const path = `/proc/${sleeper.pid}/oom_score_adj`
    const before = (await readText(files, path))!
    expect(before.text).toBe('0\n')
    expect(await saveText(files, { path, before, text: '345\n' })).toEqual({ kind: 'saved' })
    expect(readFileSync(path, 'utf8')).toBe('345\n')
    const other = await saveText(files, { path, before, text: '346\n' })
    expect(other).toMatchObject({ kind: 'changed', theirs: { text: '345\n' } })
  })
})

describe('issue 36.5: what has no content is refused by name', () => {
  test.each([
    ['pipe', 'is a named pipe \\(FIFO\\)'],
    ['link', 'is a named pipe \\(FIFO\\)'],
    ['socket', 'is a socket'],
    ['/dev/zero', 'is a character device'],
    ['/dev/null', 'is a character device'],
  ])('%s', async (name, text) => {
    const path = name.startsWith('/') ? name : join(folder, name)
    await expect(take(path)).rejects.toMatchObject(isFailure(`${name.split('/').at(-1)}: ${text}$`))
    await expect(files.checksum(path)).rejects.toMatchObject(isFailure(text))
    if (name !== 'link')
      await expect(files.readRange(path, { offset: 0, length: 5 })).rejects.toMatchObject(
        isFailure(`not a regular file: it ${text}`),
      )
  })

  test.each(['pipe', 'socket'])('nothing is written to a %s, for its reader may never come', async (name) => {
    await expect(files.upload(join(folder, name), sourceOf(Buffer.from('x')))).rejects.toMatchObject(isFailure(`is a `))
    expect(readdirSync(folder).sort()).toEqual(['link', 'pipe', 'socket'])
  })
})

describe('issue 36.5: the same from a shell', () => {
  const qd = (words: readonly string[]) =>
    qdIn.home({ QD_URL: world.origin, QD_USER: admin.username, QD_PASSWORD: admin.password })(words)
  const at = (path: string) => `${world.server.container.servers.all()[0]!.id}:${path}`

  test('cat and get write what there is, with its checksum', async () => {
    const content = readFileSync('/proc/version', 'utf8')
    expect(await qd(['files', 'cat', at('/proc/version')])).toEqual({ code: 0, stdout: content, stderr: '' })
    const got = await qd(['files', 'get', at('/proc/version'), join(folder, 'got')])
    expect(got).toMatchObject({ code: 0, stdout: expect.stringContaining(sha(Buffer.from(content))) })
    expect(readFileSync(join(folder, 'got'), 'utf8')).toBe(content)
  })

  test('a folder of the kernel comes with what is in its files, and says what has none', async () => {
    const { code } = await qd(['files', 'get', '-r', at('/proc/sys/kernel/random'), join(folder, 'random')])
    expect(code).toBe(0)
    expect(readFileSync(join(folder, 'random/poolsize'), 'utf8')).toBe(
      readFileSync('/proc/sys/kernel/random/poolsize', 'utf8'),
    )
    const mixed = await qd(['files', 'get', '-r', at(folder), join(folder, '../mixed')])
    rmSync(join(folder, '../mixed'), { recursive: true, force: true })
    expect(mixed.stderr).toMatch(/pipe: .*is a named pipe \(FIFO\)/)
  })

  test('a device is refused in one line', async () => {
    const { code, stdout, stderr } = await qd(['files', 'cat', at('/dev/zero')])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^error: .*\/dev\/zero: is a character device\n$/)
  })

  test('put sends all of a local file of the kernel, and of a pipe; a device is refused', async () => {
    const content = readFileSync('/proc/version', 'utf8')
    expect(await qd(['files', 'put', '/proc/version', at(join(folder, 'sent'))])).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'sent'), 'utf8')).toBe(content)
    const writer = spawn('sh', ['-c', 'printf "through a pipe" > "$0"', join(folder, 'pipe')], { stdio: 'ignore' })
    expect(await qd(['files', 'put', join(folder, 'pipe'), at(join(folder, 'piped'))])).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'piped'), 'utf8')).toBe('through a pipe')
    writer.kill()
    const toMany = ['--ids', '1', '--yes']
    expect(await qd(['files', 'put', '/proc/version', `:${join(folder, 'many')}`, ...toMany])).toMatchObject({
      code: 0,
    })
    expect(readFileSync(join(folder, 'many'), 'utf8')).toBe(content)
    for (const words of [[at('/tmp/x')], [':/tmp/x', ...toMany]])
      expect(await qd(['files', 'put', '/dev/zero', ...words])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('a device or socket has no content to send'),
      })
  })
})
