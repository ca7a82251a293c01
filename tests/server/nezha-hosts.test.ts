import { createHash } from 'node:crypto'
import type { View } from '@qd/core/define'
import type { FileSession } from '@qd/core/files'
import { server as resource } from '@qd/core/resources'
import { Host, State, type Task } from '@qd/protocol/agent'
import {
  parseFileRequest,
  toDownloadHeader,
  toFileError,
  toListingFrame,
  toListRequest,
  uploadedFrame,
} from '@qd/protocol/files'
import { terminalProtocol } from '@qd/protocol/stream-close'
import { taskType } from '@qd/protocol/task-types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createSink, openFiles, sourceOf } from '../support/file-session.ts'
import { isMessage, loadScenario, type Recorded } from '../support/peers/agent-fixtures.ts'
import { openSocket } from '../support/peers/live-socket.ts'
import type { CommandOutcome, SimulatedAgent } from '../support/peers/simulated-agent.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { askForShell, type ShellPeer, toShellPeer } from '../support/shells.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

/*
 * macOS and Windows hosts run the Nezha agent. It was recorded on Linux: what it sends there byte for byte alike on all systems is played from the
 * recording. What differs is written by hand from docs/develop/sources/agent-protocol.md (5, 6, 10) and marked “by hand”.
 */

const recordedHost = Host.decode(bytesOf(messages('connect', 'first-connect', 'Host')[0]!))
const recordedStates = messages('connect', 'first-connect', 'State')
  .slice(-2)
  .map((line) => State.decode(bytesOf(line)))

function messages(file: string, scenario: string, type: string): Recorded[] {
  return loadScenario(file, scenario).messages.filter((line) => isMessage(line) && line.message === type)
}
function bytesOf({ hex }: Recorded): Buffer {
  return Buffer.from(hex!, 'hex')
}
const dataOf = ({ decoded }: Recorded) => Buffer.from(String(decoded?.data ?? ''), 'hex')

/** By hand: names, versions, and CPUs of the two systems (10.1). */
const systems = {
  macos: { platform: 'darwin', platform_version: '15.5', arch: 'arm64', cpu: ['Apple M2 8 Physical Core'] },
  windows: {
    platform: 'Microsoft Windows Server 2022 Standard',
    platform_version: '10.0.20348.2402 Build 20348.2402',
    arch: 'x86_64',
    cpu: ['AMD EPYC 7B13 4 Virtual Core'],
  },
}
type System = keyof typeof systems

/** The agent’s side of a stream of files: what it answers to each message. */
type FileSide = (request: Buffer) => readonly Uint8Array[]

interface PlayedHost {
  readonly id: number
  readonly agent: SimulatedAgent
  /** Commands that arrived, oldest first. */
  readonly commands: string[]
  /** Tasks besides commands, streams of files, and shells: what they are answered with. */
  answers: Map<bigint, (data: string) => string>
  files: FileSide
  command: (line: string) => CommandOutcome
  shell: (peer: ShellPeer) => void
}

let world: World
let root: Browser
const hosts = {} as Record<System, PlayedHost>

async function startHost(system: System, number: number): Promise<PlayedHost> {
  const commands: string[] = []
  let host: PlayedHost
  const onTask = (task: Task): CommandOutcome | null => {
    // Ends when the stream does.
    if (task.type === taskType.files) serve(toShellPeer(host.agent.attach(task))).catch(() => undefined)
    else if (task.type === taskType.terminal) host.shell(toShellPeer(host.agent.attach(task)))
    const answer = host.answers.get(task.type)
    return answer ? { data: answer(task.data), successful: true } : null
  }
  async function serve(peer: ShellPeer): Promise<void> {
    for (;;) for (const answer of host.files(await peer.input(2 ** 30))) peer.print(answer)
  }
  const agent = await world.agent({
    uuid: uuidOf(number),
    host: { ...recordedHost, ...systems[system], virtualization: '' },
    first: recordedStates[0]!,
    onTask,
    onCommand(line) {
      commands.push(line)
      return host.command(line)
    },
  })
  host = {
    id: world.server.container.servers.byUuid(uuidOf(number))!.id,
    agent,
    commands,
    answers: new Map(),
    files: () => [],
    command: () => ({ data: '', successful: true }),
    shell: () => undefined,
  }
  return host
}

beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  hosts.macos = await startHost('macos', 1)
  hosts.windows = await startHost('windows', 2)
})
afterAll(() => world.close())

const nothingElse: View = {
  now: Date.now(),
  find: () => undefined,
  title: () => null,
  all: () => [],
  referring: () => [],
  trend: () => [],
}
/** Fields as every client works them out from what the server answers. */
async function fields(id: number, names: readonly string[]): Promise<unknown[]> {
  const rows = (await root.api('GET', 'server')) as { id: number }[]
  const row = resource.read.parse(rows.find((one) => one.id === id))
  return names.map((name) => resource.derived[name]!(row, nothingElse))
}
async function withFiles(host: PlayedHost, work: (files: FileSession) => Promise<void>): Promise<void> {
  const files = openFiles(world, root, host.id)
  try {
    await work(files)
  } finally {
    files.close()
  }
}

describe.each(Object.keys(systems) as System[])('a host with %s', (system) => {
  test('shows its facts', async () => {
    const { platform, platform_version, arch } = systems[system]
    expect(await fields(hosts[system].id, ['platform', 'arch', 'version', 'is_windows'])).toEqual([
      `${platform} ${platform_version}`,
      arch,
      '2.3.3',
      system === 'windows',
    ])
  })

  test('shows live figures, each recorded report in the next frame', async () => {
    const socket = await openSocket(world, { browser: root })
    for (const state of recordedStates) {
      hosts[system].agent.report(state)
      await socket.take((event) => {
        if (event.event !== 'frame') return false
        const { servers } = event.frame as { servers: { id: number; state: { cpu: number; uptime: number } }[] }
        return servers.some(({ id, state: { uptime } }) => id === hosts[system].id && uptime === Number(state.uptime))
      })
    }
    const last = recordedStates.at(-1)!
    const memory = (Number(last.mem_used) / Number(recordedHost.mem_total)) * 100
    expect(await fields(hosts[system].id, ['cpu', 'memory', 'load', 'processes', 'uptime'])).toEqual([
      expect.closeTo(last.cpu, 5),
      expect.closeTo(memory, 5),
      last.load1,
      Number(last.process_count),
      Number(last.uptime),
    ])
    socket.close()
  })
})

describe('a shell', () => {
  /** Opens one on a host whose agent plays `lines`, the recorded ones of the agent. */
  async function play(host: PlayedHost, last: string) {
    const lines = messages('terminal', 'resize-input-exit', 'IOStreamData').slice(1)
    let over = Promise.resolve()
    host.shell = (peer) => {
      over = (async () => {
        for (const line of lines)
          if (line.dir === 'server->agent') expect(await peer.input()).toEqual(dataOf(line))
          else peer.print(line === lines.at(-1) ? last : dataOf(line))
        await peer.exit()
      })()
    }
    const id = await askForShell(root, host.id)
    const socket = await openStreamSocket(world, id, { browser: root, protocols: [terminalProtocol] })
    for (const line of lines) if (line.dir === 'server->agent') socket.send(dataOf(line))
    const output = await socket.until(last)
    await over
    return { output, end: await socket.closed() }
  }

  // By hand: the last words of the agent (5).
  test('on macOS takes input and sizes, and ends as the recorded one', async () => {
    const { output, end } = await play(hosts.macos, 'EOF')
    expect(output).toContain('17 31\r\n')
    expect(output).toContain('hi\r\n')
    expect(end).toEqual({ code: 4000, reason: 'ended' })
  })

  // By hand: ConPTY repaints the screen and sets the title.
  test('on Windows passes on what ConPTY sends, byte for byte', async () => {
    const prompt =
      '\u001b[?25l\u001b[2J\u001b[m\u001b[H\u001b]0;powershell.exe\u0007\u001b[?25hPS C:\\Windows\\system32> '
    let peer: ShellPeer | undefined
    hosts.windows.shell = (opened) => {
      peer = opened
      opened.print(prompt)
    }
    const id = await askForShell(root, hosts.windows.id)
    const socket = await openStreamSocket(world, id, { browser: root, protocols: [terminalProtocol] })
    expect(await socket.until('system32> ')).toBe(prompt)
    socket.send(Buffer.from('\0exit\r'))
    expect(await peer!.input()).toEqual(Buffer.from('\0exit\r'))
    peer!.print('exit\r\n')
    await peer!.exit()
    expect(await socket.closed()).toEqual({ code: 4000, reason: 'ended' })
  })
})

describe('files', () => {
  test('on macOS are listed, downloaded, and uploaded by the recorded messages', async () => {
    const replies = ['list', 'list-missing', 'download', 'download-missing', 'download-empty', 'upload-data'].flatMap(
      (name) => {
        const [request, ...rest] = messages('files', name, 'IOStreamData')
        return [[dataOf(request!).toString('hex'), rest.map(dataOf)] as const]
      },
    )
    const known = new Map(replies)
    const unknown: string[] = []
    const uploads = dataOf(messages('files', 'upload-header', 'IOStreamData')[0]!).toString('hex')
    hosts.macos.files = (request) => {
      const hex = request.toString('hex')
      if (hex === uploads) return []
      if (!known.has(hex)) unknown.push(hex)
      return known.get(hex) ?? []
    }
    await withFiles(hosts.macos, async (files) => {
      const { path, entries, isElsewhere } = await files.list('/srv/demo')
      expect({ path, isElsewhere }).toEqual({ path: '/srv/demo', isElsewhere: false })
      expect(entries.map(({ name }) => name)).toContain('ünï.txt')
      expect(await files.list('/srv/demo/nope')).toMatchObject({ path: '/home/alice', isElsewhere: true })
      const sink = createSink()
      await files.download('/srv/demo/a.txt', sink)
      expect(sink.bytes().toString()).toBe('hello file\n')
      await expect(files.download('/srv/demo/nope', createSink())).rejects.toMatchObject({ code: 'notFound' })
      await files.upload('/srv/demo/up.txt', sourceOf(Buffer.from('hello world')))
    })
    expect(unknown).toEqual([])
  })

  // By hand: paths, and errors in the words of Windows (6.3, 6.4).
  test('on Windows have drives, backslashes, and errors in its words', async () => {
    const stored = new Map([['C:\\Users\\Administrator\\notes.txt', Buffer.from('a note\r\n')]])
    let arriving: { path: string; size: number; parts: Buffer[] } | null = null
    const asked: string[] = []
    hosts.windows.files = (message) => {
      if (arriving) {
        arriving.parts.push(message)
        const bytes = Buffer.concat(arriving.parts)
        if (bytes.length < arriving.size) return []
        stored.set(arriving.path, bytes)
        arriving = null
        return [uploadedFrame]
      }
      const request = parseFileRequest(message)!
      if (request.kind === 'more') return []
      const { kind, path } = request
      asked.push(path)
      const found = stored.get(path)
      if (kind === 'list' && path === 'C:\\')
        return [
          toListingFrame(path, [
            { name: 'pagefile.sys', isFolder: false },
            { name: 'Users', isFolder: true },
          ]),
        ]
      if (kind === 'list')
        return [toListingFrame('C:\\Users\\Administrator\\', [{ name: 'notes.txt', isFolder: false }])]
      if (kind === 'download')
        return found
          ? [toDownloadHeader(found.length), found]
          : [toFileError('classify download file: The system cannot find the file specified.')]
      if (path.startsWith('C:\\Windows')) return [toFileError(`open ${path}: Access is denied.`)]
      arriving = { path, size: request.size, parts: [] }
      return []
    }
    await withFiles(hosts.windows, async (files) => {
      expect(await files.list('')).toMatchObject({ path: 'C:\\Users\\Administrator', isElsewhere: false })
      expect(await files.list('~')).toMatchObject({ path: 'C:\\Users\\Administrator', isElsewhere: false })
      expect(await files.list('C:\\')).toMatchObject({
        path: 'C:\\',
        isElsewhere: false,
        entries: [
          { name: 'pagefile.sys', kind: 'file' },
          { name: 'Users', kind: 'folder' },
        ],
      })
      expect(await files.list('D:\\')).toMatchObject({ path: 'C:\\Users\\Administrator', isElsewhere: true })
      const sink = createSink()
      await files.download('~\\notes.txt', sink)
      expect(sink.bytes().toString()).toBe('a note\r\n')
      await expect(files.download('C:\\nope.txt', createSink())).rejects.toMatchObject({ code: 'notFound' })
      const bytes = Buffer.alloc(2_500_000, 'a file ')
      await files.upload('C:\\Temp\\new.bin', sourceOf(bytes))
      expect(stored.get('C:\\Temp\\new.bin')!.equals(bytes)).toBe(true)
      await expect(files.upload('C:\\Windows\\x', sourceOf(Buffer.from('x')))).rejects.toMatchObject({
        code: 'failed',
        params: { text: 'open C:\\Windows\\x: Access is denied.' },
      })
    })
    expect(asked[0]).toBe('')
    expect(toListRequest('C:\\')).toEqual(Uint8Array.of(0, ...Buffer.from('C:\\')))
  })

  test('have sizes, and are read and deleted by the recorded answers', async () => {
    const [type, answers] = [
      { list: taskType.listFiles, read: taskType.readFile, remove: taskType.deleteFiles },
      ['fs-list-hidden', 'fs-read-b64', 'fs-delete', 'fs-list-missing'].map((name) =>
        loadScenario('exec-fs-transfer', name).messages.map(
          ({ decoded }) => JSON.parse(String(decoded!.data)) as Record<string, unknown>,
        ),
      ),
    ]
    const [list, read, remove, missing] = answers as [
      [Record<string, unknown>, Record<string, unknown>],
      [Record<string, unknown>, Record<string, unknown>],
      [Record<string, unknown>, Record<string, unknown>],
      [Record<string, unknown>, Record<string, unknown>],
    ]
    const asked: unknown[] = []
    for (const system of Object.keys(systems) as System[]) {
      // By hand: the path of the question, which no answer repeats.
      const folder = system === 'windows' ? 'C:\\inetpub' : '/Users/alice'
      const file = system === 'windows' ? 'C:\\inetpub\\a.txt' : '/Users/alice/a.txt'
      const { answers: given } = hosts[system]
      const answer = (recorded: object) => (data: string) => {
        const { path } = JSON.parse(data) as { path: string }
        asked.push(path)
        return JSON.stringify(path.endsWith('nope') ? missing[1] : recorded)
      }
      given.set(type.list, answer(list[1]))
      given.set(type.read, answer(read[1]))
      given.set(type.remove, answer(remove[1]))
      await withFiles(hosts[system], async (files) => {
        const { path, entries } = await files.details(folder)
        expect(path).toBe(folder)
        expect(entries).toHaveLength((list[1].entries as unknown[]).length)
        expect(entries).toContainEqual(expect.objectContaining({ name: 'ünï.txt', kind: 'file', size: 1 }))
        const { bytes, sha256 } = await files.readRange(file, { offset: 0, length: 100 })
        expect(Buffer.from(bytes).toString()).toBe('hello file\n')
        expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
        expect(await files.remove(file)).toBe(1)
        await expect(files.details(`${folder}${system === 'windows' ? '\\' : '/'}nope`)).rejects.toMatchObject({
          params: { text: 'file or directory does not exist' },
        })
        await expect(files.makeFolder(`${folder}/new`)).rejects.toMatchObject({ code: 'unsupported' })
      })
    }
    expect(asked).toContain('C:\\inetpub\\a.txt')
  })
})

// By hand: how Go’s standard library names exit codes of Windows.
test.each([
  ['exit status 9009', 9009],
  ['exit status 0xc0000005', -1_073_741_819],
])('a command on Windows that ends with “%s” has its exit code', async (words, code) => {
  hosts.windows.command = () => ({ data: `oops\r\n\n${words}`, successful: false })
  const { run_id: id } = (await root.api('POST', 'exec', {
    servers: [hosts.windows.id],
    command: 'robocopy a b',
    time_limit: 10,
  })) as {
    run_id: number
  }
  const item = async () => ((await root.api('GET', `run/${id}`)) as { items: object[] }).items[0]
  await expect.poll(item).toMatchObject({ state: 'failure', reason: 'exit', exit_code: code })
  expect(hosts.windows.commands).toContain('robocopy a b')
})
