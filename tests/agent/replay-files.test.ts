import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { IOStreamData, Task, TaskResult } from '@qd/protocol/agent'
import { createListing, markOf, parseFileRequest, toListRequest, toUploadRequest } from '@qd/protocol/files'
import { taskType } from '@qd/protocol/task-types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isMessage, loadFixture, type Recorded } from '../support/peers/agent-fixtures.ts'
import { type AgentEvent, type RawServer, type ServerCall, startRawServer } from '../support/peers/h2-server.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

const recordedFolder = '/srv/demo'
const streamId = '50edd838-01cb-7656-aaa1-ecae03c3b3ff'

let server: RawServer
let agent: Agent
let tasks: ServerCall
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'qd-replay-files-'))
  // The recorded folder. What its agent might not read is left to apps/agent/src/files: these tests may run as root.
  writeFileSync(join(folder, 'a.txt'), 'hello file\n')
  writeFileSync(join(folder, 'big.bin'), 'A'.repeat(2_097_157))
  for (const name of ['.dot', 'locked.txt', 'ünï.txt']) writeFileSync(join(folder, name), 'x')
  writeFileSync(join(folder, 'empty'), '')
  for (const name of ['emptydir', 'secret', 'sub']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'secret', 'file'), 'x')
  symlinkSync(join(folder, 'emptydir'), join(folder, 'link'))
  server = await startRawServer(answerCalls())
  agent = startTestAgent(server)
  tasks = await takeTaskCall(server)
  tasks.respond()
})
afterEach(async () => {
  await agent.stop()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const isStream = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
  event.event === 'message' && event.method === 'IOStream'
/** The next message of the stream that is no keepalive. */
const take = async (): Promise<{ bytes: Buffer; call: ServerCall }> => {
  for (;;) {
    const { bytes, call } = await server.take(isStream)
    const { data } = IOStreamData.decode(bytes)
    if (data.length > 0) return { bytes: Buffer.from(data), call }
  }
}
const open = async (type: bigint, request: object): Promise<ServerCall> => {
  tasks.send(Task.encode(Task.fromPartial({ type, data: JSON.stringify(request) })).finish())
  const { call } = await take()
  call.respond()
  return call
}
const send = (call: ServerCall, data: Uint8Array) => call.send(IOStreamData.encode({ data }).finish())
const bytesOf = ({ decoded }: Recorded) => Buffer.from(String(decoded?.data), 'hex')

/** The recorded request for the folder of this test. */
function here(bytes: Buffer): Uint8Array {
  const asked = bytes.length >= 9 || bytes[0] !== 2 ? parseFileRequest(bytes) : undefined
  if (!asked || asked.kind === 'more' || !asked.path.includes(recordedFolder)) return bytes
  const path = asked.path.replace(recordedFolder, folder)
  if (asked.kind === 'list') return toListRequest(path)
  return asked.kind === 'upload'
    ? toUploadRequest(path, asked.size)
    : Buffer.concat([bytes.subarray(0, 1), Buffer.from(path)])
}

/** What a message says, as the recorded machine would have said it. */
function meaning(bytes: Uint8Array): unknown {
  if (markOf(bytes) !== 'listing') return String(Buffer.from(bytes)).replace(folder, recordedFolder)
  const state = createListing().push(bytes)
  if (state.kind !== 'done') return state
  const { path, names } = state.listing
  const isHome = path === `${homedir()}/` || path === '/home/alice/'
  return isHome ? 'home' : { path: path.replace(folder, recordedFolder), names: path === '.' ? [] : names }
}

describe('files, as recorded', () => {
  /** As root nothing is locked. */
  const locked = ['list-unreadable', 'download-locked', 'upload-locked']
  /** Ours reads what has no size, and the recorded agent says that it is empty. */
  const unsized = ['download-proc']
  const others = ['open', 'close', ...locked, ...unsized]
  const scenarios = loadFixture('files').scenarios.filter(({ name }) => !others.includes(name))
  const uploads = ['upload-header', 'upload-data', 'upload-2part-h', 'upload-2part-1', 'upload-2part-2']

  test.each(scenarios.filter(({ name }) => !uploads.includes(name)))('$name', async ({ name, messages }) => {
    const call = await open(taskType.files, { StreamID: streamId })
    const lines = messages.filter(isMessage)
    for (const line of lines.filter(({ dir }) => dir === 'server->agent')) send(call, here(bytesOf(line)))
    const wanted = lines.filter(({ dir, length }) => dir === 'agent->server' && length === undefined).map(bytesOf)
    if (name === 'download-big') {
      expect((await take()).bytes).toEqual(wanted[0])
      const pieces = [await take(), await take(), await take()].map(({ bytes }) => bytes.length)
      return expect(pieces).toEqual([1_048_576, 1_048_576, 5])
    }
    // Ours says at once that it is a folder, without a header of its size.
    const expected = name === 'download-dir' ? wanted.slice(1) : wanted
    for (const bytes of expected) expect(meaning((await take()).bytes)).toEqual(meaning(bytes))
    if (wanted.length > 0) return
    // Nothing is answered: what comes next is the answer to something else.
    send(call, toListRequest(join(folder, 'emptydir')))
    expect(meaning((await take()).bytes)).toMatchObject({ path: `${recordedFolder}/emptydir` })
  })

  test('issue 36.5: a file of the kernel is sent to an existing server as well, with the size that it has', async () => {
    const call = await open(taskType.files, { StreamID: streamId })
    const content = readFileSync('/proc/version')
    send(call, Buffer.from('\u0001/proc/version'))
    const header = (await take()).bytes
    expect([markOf(header), header.readBigUInt64BE(4)]).toEqual(['download', BigInt(content.length)])
    expect((await take()).bytes).toEqual(content)
  })

  test.each([
    [uploads.slice(0, 2), 'up.txt', 'hello world'],
    // Existing agents write what is beyond the announced size.
    [uploads.slice(2), 'up2.txt', 'abcdef'],
  ])('%j', async (names, file, content) => {
    const call = await open(taskType.files, { StreamID: streamId })
    const lines = loadFixture('files')
      .scenarios.filter(({ name }) => names.includes(name))
      .flatMap(({ messages }) => messages)
    for (const line of lines.filter(isMessage)) {
      if (line.dir === 'server->agent') send(call, here(bytesOf(line)))
      else expect((await take()).bytes).toEqual(bytesOf(line))
    }
    expect(readFileSync(join(folder, file), 'utf8')).toBe(content)
  })

  test('after a failed upload a long message is no request, a short one is', async () => {
    const call = await open(taskType.files, { StreamID: streamId })
    send(call, toUploadRequest(join(folder, 'no/such'), 3_000_000))
    const evil = toUploadRequest(join(folder, 'evil'), 0)
    send(call, Buffer.concat([evil, Buffer.alloc(1_000_000)]))
    send(call, toListRequest(join(folder, 'emptydir')))
    expect(meaning((await take()).bytes)).toMatch(/^NERRopen .*: no such file or directory$/)
    expect(meaning((await take()).bytes)).toMatchObject({ path: `${recordedFolder}/emptydir` })
  })
})

describe('tasks 16 to 19, as recorded', () => {
  const isResult = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
    event.event === 'message' && event.method === 'RequestTask'
  const ask = async (type: bigint, data: string) => {
    tasks.send(Task.encode({ id: 4_294_967_297n, type, data }).finish())
    return TaskResult.decode((await server.take(isResult)).bytes)
  }
  const scenarios = loadFixture('exec-fs-transfer').scenarios.filter(
    ({ name }) => name.startsWith('fs-') && name !== 'fs-list-locked',
  )
  /** What each of them needs to be there. */
  const before: Readonly<Record<string, () => void>> = {
    'fs-write-ifmatch': () => writeFileSync(join(folder, 'w.txt'), 'written'),
    'fs-delete': () => writeFileSync(join(folder, 'w.txt'), 'written'),
    'fs-delete-rec'() {
      mkdirSync(join(folder, 'n1/n2'), { recursive: true })
      writeFileSync(join(folder, 'n1/n2/w.txt'), 'x')
    },
  }
  test.each(scenarios)('$name', async ({ name, messages }) => {
    before[name]?.()
    const [task, recorded] = messages.filter(isMessage).map(({ decoded }) => decoded!)
    const { data, successful } = await ask(
      BigInt(String(task!.type)),
      String(task!.data).replace(recordedFolder, folder),
    )
    const wanted = JSON.parse(String(recorded!.data)) as { entries?: object[] | null }
    const got = JSON.parse(data) as typeof wanted
    expect(successful).toBe(true)
    if (!wanted.entries) return expect(got).toEqual(wanted)
    const names = (got.entries as { name: string }[]).map((entry) => entry.name)
    expect(names.includes('.dot')).toBe(name === 'fs-list-hidden')
    expect(got.entries).toContainEqual({
      ...wanted.entries.find((entry) => 'name' in entry && entry.name === 'big.bin'),
      mtime: expect.any(Number),
    })
    expect(got.entries).toContainEqual(
      expect.objectContaining({
        name: 'link',
        type: 'symlink',
        is_symlink: true,
        link_target: join(folder, 'emptydir'),
      }),
    )
  })

  test('an undecodable request is no success', async () => {
    expect(await ask(taskType.listFiles, 'nonsense')).toMatchObject({
      successful: false,
      data: expect.stringMatching(/^invalid request: ./),
    })
    expect(JSON.parse((await ask(taskType.readFile, '{"path":""}')).data)).toMatchObject({ error: 'path required' })
    expect(JSON.parse((await ask(taskType.deleteFiles, '{"path":"//","recursive":true}')).data)).toMatchObject({
      error: 'refusing to delete root',
    })
  })
})

describe('task 20, as recorded', () => {
  const scenarios = loadFixture('exec-fs-transfer').scenarios.filter(({ name }) => /^(down|up)load/.test(name))
  test.each(scenarios)('$name', async ({ messages }) => {
    const lines = messages.filter(isMessage)
    const [task, , ...rest] = lines
    const request = JSON.parse(String(task!.decoded!.data).replace(recordedFolder, folder)) as {
      path: string
      op: string
    }
    const call = await open(taskType.transferFile, request)
    for (const line of rest) {
      if (line.dir === 'server->agent') send(call, bytesOf(line))
      else if (line.length === undefined) expect((await take()).bytes).toEqual(bytesOf(line))
      // The rest of the message is its protobuf header.
      else expect((await take()).bytes.length).toBe(1_048_588)
    }
    await server.take(({ event }) => event === 'half-close')
    if (request.op === 'upload') expect(readFileSync(request.path, 'utf8')).toBe('hello world')
  })

  test.each([
    ['a wrong checksum', { op: 'upload', size: 3, expected_sha256: '00' }, 'sha256 mismatch'],
    ['more than was declared', { op: 'upload', size: 1 }, 'more data than declared'],
    ['too large', { op: 'upload', size: 104_857_601 }, 'size out of range: must be 0..100MiB'],
    [
      'another file than was read',
      { op: 'upload', size: 3, if_match_sha256: 'ab' },
      'if_match precondition failed: sha256 mismatch',
    ],
    ['an unknown op', { op: 'move' }, 'unknown op: move'],
    ['a folder', { op: 'download', path: '/tmp' }, 'path is not a regular file'],
  ])('%s', async (_name, more, text) => {
    const path = join(folder, 'a.txt')
    const call = await open(taskType.transferFile, { stream_id: streamId, path, ...more })
    send(call, Buffer.from('new'))
    let { bytes } = await take()
    if (bytes.toString('latin1').startsWith('NZTU')) ({ bytes } = await take())
    expect(String(bytes)).toBe(`NZTE${text}`)
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toMatch(/^702b7d2e/)
  })
})
