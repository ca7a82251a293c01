import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { terminalProtocol } from '@qd/protocol/stream-close'
import { toInputFrame, toResizeFrame } from '@qd/protocol/stream-frames'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createSink, openFiles, sourceOf } from '../support/file-session.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { askForShell } from '../support/shells.ts'
import { admin, createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 })

interface Single {
  readonly ownTarget: string
  readonly singleFiles: Readonly<Record<string, { targets: readonly string[] }>>
  singleFile(program: string, target: string, folder: string): Promise<string>
}
const single = (await import(new URL('../../scripts/single.mjs', import.meta.url).href)) as Single

const folder = mkdtempSync(join(tmpdir(), 'qd-single-files-'))
const certificate = (name: string) => fileURLToPath(new URL(`../data/tls/localhost.${name}.pem`, import.meta.url))
const env = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C' }

/** The two files for a target; null, with a printed reason, if the compiler can’t be fetched. */
async function compiled(target: string) {
  const at = join(folder, target)
  mkdirSync(at)
  try {
    const qd = await single.singleFile('qd', target, at)
    return { qd, agent: await single.singleFile('quarterdeck-agent', target, at) }
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(`${stderr}${message}`)) throw error
    process.stderr.write(`single files for ${target} are not tested: npm can’t fetch Bun (${message})\n`)
    return null
  }
}
const isHere = single.singleFiles['quarterdeck-agent']!.targets.includes(single.ownTarget)
const files = isHere ? await compiled(single.ownTarget) : null

let world: World
/** Without TLS, as the sockets of these tests are. */
let plain: World
let root: Browser
const agents: ChildProcess[] = []
/** Runs the agent in one file; resolves when the server knows it. */
async function connectAgent(to: World, name: string, ...more: string[]): Promise<void> {
  const words = [
    '--server',
    `127.0.0.1:${to.port}`,
    '--secret',
    siteSecret,
    '--uuid',
    uuidOf(1),
    '--supervise',
    ...more,
  ]
  const agent = spawn(files!.agent, [...words, '--config', join(folder, `${name}.json`)], {
    env: { ...env, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: certificate('cert') },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  agents.push(agent)
  let said = ''
  agent.stderr!.on('data', (chunk) => (said += chunk))
  const { container } = to.server
  await vi.waitFor(() => {
    expect(container.agents.connected(1), said).toBe(true)
    expect(container.live.hostOf(1).version).toContain('+qd.')
  }, 30_000)
}
const run = (file: string, ...args: string[]) => {
  const child = spawn(file, args, {
    env: {
      ...env,
      QD_URL: `https://127.0.0.1:${world.port}`,
      QD_USER: admin.username,
      QD_PASSWORD: admin.password,
      NODE_EXTRA_CA_CERTS: certificate('cert'),
    },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) child[stream].on('data', (chunk) => (output[stream] += chunk))
  return once(child, 'close').then(([status]) => ({ status: status as number, ...output }))
}

beforeAll(async () => {
  if (!files) return
  const tls = { cert: readFileSync(certificate('cert'), 'utf8'), key: readFileSync(certificate('key'), 'utf8') }
  world = await createWorld({ config: { tls } })
  // Settings of the folder that it is called from are not its own.
  writeFileSync(join(folder, '.env'), 'QD_URL=http://127.0.0.1:1\nNZ_SERVER=127.0.0.1:1\n')
  await connectAgent(world, 'secure', '--tls')
  plain = await createWorld()
  root = await plain.login()
  await connectAgent(plain, 'plain')
})
afterAll(async () => {
  for (const agent of agents) {
    const gone = once(agent, 'exit')
    agent.kill('SIGTERM')
    await gone
  }
  await world?.close()
  await plain?.close()
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!files)(
  'issue 39.2: qd in one file says its version and help, lists servers and runs a command',
  async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    expect(await run(files!.qd, '--version')).toMatchObject({ status: 0, stdout: `${version}\n` })
    expect((await run(files!.qd, '--help')).stdout).toContain('Usage: qd <command>')
    expect(await run(files!.qd, 'server', 'ls', '--json', 'id')).toMatchObject({ status: 0, stdout: '[{"id":1}]\n' })
    expect(await run(files!.qd, 'server', 'ls', '--jq', 'map(.id)')).toMatchObject({ status: 0, stdout: '[1]\n' })
    const done = await run(files!.qd, 'exec', '1', '--yes', '--', 'echo $((6*7)) in one file')
    expect(done, done.stderr).toMatchObject({ status: 0, stdout: expect.stringContaining('42 in one file') })
    // YAML and the tools of an assistant are parts of their own in the other build.
    const yaml = join(folder, 'fleet.yaml')
    writeFileSync(yaml, 'quarterdeck: 1\ncron: []\n')
    expect((await run(files!.qd, 'diff', yaml)).status).toBe(0)
    expect((await run(files!.qd, 'mcp', '--help')).status).toBe(0)
  },
)

test.skipIf(!files)(
  'issue 39.2: the agent in one file opens a shell in a terminal, which waits for a slow viewer',
  async () => {
    const id = await askForShell(root, 1)
    const socket = await openStreamSocket(plain, id, { browser: root, protocols: [terminalProtocol] })
    socket.send(toResizeFrame({ cols: 101, rows: 33 }))
    const ask = async (line: string) => {
      socket.send(toInputFrame(`${line}\r`))
      const output = await socket.until('>\r\n')
      return output.slice(output.lastIndexOf('<') + 1, output.lastIndexOf('>'))
    }
    expect(await ask('PS1=; echo "<$(stty size)>"')).toBe('33 101')
    socket.send(toResizeFrame({ cols: 77, rows: 22 }))
    await vi.waitFor(async () => expect(await ask('echo "<$(stty size)>"')).toBe('22 77'))
    socket.send(toInputFrame('yes\r'))
    for (let frames = 0; frames < 200; frames += 1) await socket.take(({ event }) => event === 'data')
    socket.send(toInputFrame(Uint8Array.of(3)))
    expect(await ask('echo "<$(( 6 * 7 ))>"')).toBe('42')
    socket.send(toInputFrame('stty -icanon; head -c 65536 | cksum | sed "s/.*/<&>/"; stty icanon\r'))
    expect(await ask(`${'x'.repeat(63)}\n`.repeat(1024).trimEnd())).toMatch(/ 65536$/)
    socket.send(toInputFrame('exit 7\r'))
    expect(await socket.closed()).toEqual({ code: 4000, reason: 'ended 7' })
  },
)

test.skipIf(!files)('issue 39.2: the agent in one file lists, takes and gives files', async () => {
  const session = openFiles(plain, root, 1)
  const at = join(folder, 'files')
  mkdirSync(join(at, 'inner'), { recursive: true })
  const bytes = Buffer.alloc(3_000_000, 'a file ')
  await session.upload(join(at, 'one'), sourceOf(bytes))
  expect(readFileSync(join(at, 'one')).equals(bytes)).toBe(true)
  const { entries } = await session.list(at)
  expect(entries.map(({ name, kind }) => [name, kind])).toEqual(
    expect.arrayContaining([
      ['inner', 'folder'],
      ['one', 'file'],
    ]),
  )
  const sink = createSink()
  await session.download(join(at, 'one'), sink)
  expect(Buffer.from(sink.bytes()).equals(bytes)).toBe(true)
  session.close()
})

test.skipIf(!files)('issue 39.2: an update of the agent in one file says what to do instead', async () => {
  const { run_id: id } = (await root.api('POST', 'force-update/server', [1])) as { run_id: number }
  const item = async () => ((await root.api('GET', `run/${id}`)) as { items: object[] }).items[0]
  await expect.poll(item).toMatchObject({
    state: 'failure',
    output: 'this agent is a single file; replace it with that of a newer release and restart it',
  })
})

test.skipIf(!files)(
  'issue 39.2: the agent in one file refuses a server whose certificate isn’t one of its address',
  async () => {
    const line = createServer(
      (near) =>
        void near
          .on('error', () => {})
          .pipe(connect(world.port, '127.0.0.1').on('error', () => {}))
          .pipe(near),
    )
    await new Promise<void>((resolve) => line.listen(0, '127.0.0.2', resolve))
    const words = [
      '--server',
      `127.0.0.2:${(line.address() as AddressInfo).port}`,
      '--secret',
      siteSecret,
      '--uuid',
      uuidOf(2),
      '--tls',
    ]
    const stranger = spawn(files!.agent, [...words, '--config', join(folder, 'stranger.json')], {
      env: { ...env, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: certificate('cert') },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let reason = ''
    stranger.stderr.on('data', (chunk) => (reason += chunk))
    const gone = once(stranger, 'exit')
    await expect.poll(() => reason, { timeout: 30_000 }).toMatch(/127\.0\.0\.2 is not in the cert/)
    expect(world.server.container.servers.all()).toHaveLength(1)
    stranger.kill('SIGTERM')
    await gone
    line.close()
  },
)

/** A root with musl 1.2.4 or later, libstdc++ and libgcc, such as a minirootfs of Alpine with these packages. */
const muslRoot = process.env.QD_MUSL_ROOT
const isMusl = isHere && muslRoot !== undefined && existsSync(muslRoot)
if (!isMusl)
  process.stderr.write(
    'single files for musl are not run: QD_MUSL_ROOT names no root with musl 1.2.4, libstdc++ and libgcc\n',
  )

test.skipIf(!files)('issue 39.2: the files for musl are programs of musl, and run where it is', async ({ skip }) => {
  const musl = await compiled(`${single.ownTarget}-musl`)
  if (!musl) return skip()
  for (const file of [musl.qd, musl.agent]) {
    expect(readFileSync(file).subarray(0, 4096).toString('latin1')).toContain('/lib/ld-musl-')
    if (isMusl) {
      const inside = join(muslRoot, 'program-under-test')
      spawnSync('cp', [file, inside])
      const ran = spawnSync('chroot', [muslRoot, '/program-under-test', '--version'], { encoding: 'utf8' })
      rmSync(inside)
      expect(ran.stdout, ran.stderr).toMatch(/^\d+\.\d+\.\d+\n$/)
    }
  }
})
