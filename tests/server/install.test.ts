import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { buildPrograms, type Programs } from '../support/programs.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

/** Where the tests run as root, hosts are set up by somebody who is not. */
const someone = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

let programs: Programs
let world: World
let root: Browser
let home: string

beforeAll(async () => {
  programs = await buildPrograms()
  world = await createWorld({ config: { agentBundle: programs.agent } })
  root = await world.login()
  await agentsConnectTo(`127.0.0.1:${world.port}`)
})
afterAll(async () => {
  await world.close()
  programs.close()
})
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'qd-home-'))
  if (someone.uid) chownSync(home, someone.uid, someone.gid)
})
afterEach(async () => {
  await run(`[ ! -d "$HOME/.quarterdeck-agent" ] || ${uninstall()}`)
  rmSync(home, { recursive: true, force: true })
})

const uninstall = () => `curl -fsSL ${world.origin}/install.sh | sh -s uninstall`

async function agentsConnectTo(host: string, tls = false): Promise<void> {
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  await root.api('PATCH', 'setting', { ...config, user_template: 'user-dist', install_host: host, tls })
}

/** Runs a command line as a stranger in an empty folder: no environment but home and path. */
function run(
  command: string,
  environment: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const path = `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`
    const env = { PATH: path, HOME: home, ...environment }
    const child = spawn('sh', ['-c', command], { ...someone, cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('close', (code) => resolve({ code, output }))
  })
}

/** The command as the console copies it. */
async function commandOf(query = ''): Promise<string> {
  const { command } = (await root.api('GET', `install?os=linux&agent=ours${query}`)) as {
    command: string
  }
  return command
}

interface Listed {
  id: number
  uuid: string
  last_active: string
  updated_at: string
  owner: { id: number }
}
const listed = async () => ((await root.api('GET', 'server')) ?? []) as Listed[]
const online = async () => (await listed()).filter(({ last_active }) => !last_active.startsWith('0001'))

test('the copied command, run in an empty home without systemd, brings its server into the list within 30 s', async () => {
  const { code, output } = await run(await commandOf())
  expect(output).toContain('is running in the background')
  expect(code).toBe(0)
  await expect.poll(online, { timeout: 30_000 }).toHaveLength(1)
  const [server] = await online()
  expect(server!.owner.id).toBe(1)

  const folder = join(home, '.quarterdeck-agent')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'agent.json')).mode & 0o777).toBe(0o600)
  const { agent_secret } = (await root.api('GET', 'profile')) as { agent_secret: string }
  const settings = () => JSON.parse(readFileSync(join(folder, 'agent.json'), 'utf8')) as Record<string, unknown>
  // Issue 37.9: the host has a secret of its own, and nothing of the account.
  await expect.poll(settings).not.toHaveProperty('enrollment_code')
  expect(settings()).toMatchObject({ client_secret: expect.stringMatching(/^\w{32}$/), tls: false })
  expect(settings().client_secret).not.toBe(agent_secret)
  const own = String(settings().client_secret)
  const pid = readFileSync(join(folder, 'agent.pid'), 'utf8').trim()
  const seen = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8')).join()
  expect(seen).not.toContain(agent_secret)
  expect(seen).not.toContain(own)
  const terminal = `node_modules/@lydell/node-pty-${process.platform}-${process.arch}`
  expect(existsSync(join(folder, terminal))).toBe(existsSync(new URL(`../../${terminal}`, import.meta.url)))

  const again = await run(await commandOf())
  expect(again.code).toBe(0)
  expect(readFileSync(join(folder, 'agent.pid'), 'utf8').trim()).not.toBe(pid)
  expect(existsSync(`/proc/${pid}`)).toBe(false)
  await expect.poll(online, { timeout: 30_000 }).toHaveLength(1)
  expect((await listed()).map(({ uuid }) => uuid)).toEqual([server!.uuid])

  const removed = await run(uninstall())
  expect([removed.code, readdirSync(home)]).toEqual([0, []])
  await expect.poll(online, { timeout: 30_000 }).toHaveLength(0)
})

test('the command of an existing record makes the host that record again', async () => {
  await run(await commandOf())
  await expect.poll(online, { timeout: 30_000 }).toHaveLength(1)
  const [server] = await online()
  await run(uninstall())
  await expect.poll(online, { timeout: 30_000 }).toHaveLength(0)
  const count = (await listed()).length
  expect((await run(await commandOf(`&uuid=${server!.uuid}`))).code).toBe(0)
  await expect.poll(online, { timeout: 30_000 }).toMatchObject([{ id: server!.id }])
  expect(await listed()).toHaveLength(count)
  // The dialog that waits for the same version to be installed again sees it by that.
  const updatedAt = async () => (await online())[0]!.updated_at
  const before = await updatedAt()
  await run(await commandOf(`&uuid=${server!.uuid}`))
  await expect.poll(updatedAt).not.toBe(before)
})

test('with systemd the agent becomes a service of the user', async () => {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$@" >>'${home}/called'\n`)
  chmodSync(join(bin, 'systemctl'), 0o755)
  const path = `${bin}:${join(process.execPath, '..')}:/usr/bin:/bin`
  const { output } = await run(`export PATH='${path}'; ${await commandOf()}`)
  expect(output).toContain('is running as the service quarterdeck-agent')
  const unit = readFileSync(join(home, '.config/systemd/user/quarterdeck-agent.service'), 'utf8')
  const flags = JSON.parse(
    readFileSync(new URL('../../apps/agent/node-flags.json', import.meta.url), 'utf8'),
  ) as string[]
  expect(unit).toContain(
    `/node" ${flags.join(' ')} "${home}/.quarterdeck-agent/quarterdeck-agent.mjs" --service --config`,
  )
  expect(unit).toContain('WantedBy=default.target')
  expect(readFileSync(join(home, 'called'), 'utf8').split('\n').slice(1, 4)).toEqual([
    '--user daemon-reload',
    '--user enable quarterdeck-agent.service',
    '--user restart quarterdeck-agent.service',
  ])
  const removed = await run(`export PATH='${path}'; ${uninstall()}`)
  expect(removed.output).toContain('removed from')
  expect(existsSync(join(home, '.config/systemd/user/quarterdeck-agent.service'))).toBe(false)
})

describe('what cannot be done changes nothing', () => {
  test('no Node 20', async () => {
    const bin = join(home, 'bin')
    mkdirSync(bin)
    for (const tool of ['sh', 'curl', 'id', 'env', 'cat']) symlinkSync(`/usr/bin/${tool}`, join(bin, tool))
    writeFileSync(join(bin, 'node'), '#!/bin/sh\nexit 1\n')
    chmodSync(join(bin, 'node'), 0o755)
    const { code, output } = await run(`export PATH='${bin}'; ${await commandOf()}`)
    expect(output).toContain('Node 20.19 or later not found')
    expect([code, readdirSync(home)]).toEqual([1, ['bin']])
  })

  test('an agent with a wrong checksum', async () => {
    const bytes = Buffer.from('console.log("evil")')
    const sum = createHash('sha256').update('something else').digest('hex')
    const script = readFileSync(new URL('../../apps/server/install/install.sh', import.meta.url))
    const answers: Record<string, Buffer> = {
      '/install.sh': script,
      '/agent/manifest.json': Buffer.from(JSON.stringify({ version: '9.9.9', sha256: sum, size: bytes.length })),
      '/agent/quarterdeck-agent.mjs': bytes,
    }
    const server = createServer((request, response) => response.end(answers[request.url ?? ''] ?? ''))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, output } = await run(`curl -fsSL http://${host}/install.sh | NZ_SERVER=${host} NZ_CLIENT_SECRET=x sh`)
    server.close()
    expect(output).toContain('wrong checksum')
    expect([code, readdirSync(home)]).toEqual([1, []])
  })

  test.each([
    ['no server', '', 'NZ_SERVER=HOST:PORT is missing'],
    ['a server that does not answer', 'NZ_SERVER=127.0.0.1:1 NZ_CLIENT_SECRET=x', 'cannot download'],
  ])('%s', async (_name, variables, reason) => {
    const { code, output } = await run(`curl -fsSL ${world.origin}/install.sh | ${variables} sh`)
    expect(output).toContain(reason)
    expect([code, readdirSync(home)]).toEqual([1, []])
  })
})

describe('the command', () => {
  const ask = (browser: Browser, query: string) => browser.send('GET', `/api/v1/install?${query}`)

  test('needs the address agents connect to', async () => {
    for (const address of ['', 'a b', '$(id)']) {
      await agentsConnectTo(address)
      expect((await ask(root, 'os=linux')).body).toMatchObject({
        code: 'installHostRequired',
        error: 'The Agent docking address has not been filled in in the settings.',
      })
    }
    await agentsConnectTo('qd.example', true)
    expect(await commandOf()).toContain('"https://qd.example:443/install.sh"')
    await agentsConnectTo('a:1')
  })

  test('is of a known system', async () => {
    expect((await ask(root, 'os=plan9')).body).toMatchObject({
      error: 'Unknown OS',
      problems: [{ field: 'os' }],
    })
    expect((await ask(root, 'os=linux&agent=x')).body.problems).toMatchObject([{ field: 'agent' }])
  })

  test('for Windows installs by the script that is served', async () => {
    const { command } = (await root.api('GET', 'install?os=windows')) as { command: string }
    expect(command).toMatch(/irm "http:\/\/a:1\/install.ps1" \| iex$/)
    const { text, headers } = await world.guest().send('GET', '/install.ps1')
    expect(text).toBe(readFileSync(new URL('../data/install.ps1', import.meta.url), 'utf8'))
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  test('of somebody else’s record is refused as of an unknown one', async () => {
    const alice = await world.member('alice')
    await world.agent({ uuid: uuidOf(7) })
    const answers = await Promise.all([7, 8].map((n) => ask(alice.browser, `os=linux&uuid=${uuidOf(n)}`)))
    expect(answers.map(({ body }) => body.error)).toEqual(['server not found', 'server not found'])
    mirror({ files: { [archive]: '00'.repeat(32) }, url: 'https://releases.example' })
    expect((await ask(root, `os=linux&agent=nezha&uuid=${uuidOf(7)}`)).body.data).toMatchObject({
      command: expect.stringContaining(world.server.container.agentSecret),
    })
    const { command } = (await alice.browser.api('GET', 'install?os=linux&agent=nezha')) as { command: string }
    expect(command).toContain(`NZ_CLIENT_SECRET=${alice.secret} `)
  })
})

/** The file of a release for this machine. */
const archive = `nezha-agent_linux_${{ x64: 'amd64', ia32: '386' }[process.arch as string] ?? process.arch}.zip`
const mirrored = (name: string) => join(world.data, 'nezha-agent', name)
/** Pins a release of the Nezha agent. */
function mirror(manifest: object) {
  mkdirSync(mirrored('.'), { recursive: true })
  writeFileSync(mirrored('manifest.json'), JSON.stringify({ version: '1.2.3', ...manifest }))
}
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('the Nezha agent', () => {
  /** A release whose program writes down how it was called. */
  function makeArchive(): Buffer {
    const program = join(home, 'nezha-agent')
    writeFileSync(program, '#!/bin/sh\nprintf "%s " "$@" "$NZ_SERVER" "$NZ_CLIENT_SECRET" >"$(dirname "$0")/called"\n')
    execFileSync('zip', ['-jq', join(home, 'made.zip'), program])
    rmSync(program)
    const bytes = readFileSync(join(home, 'made.zip'))
    rmSync(join(home, 'made.zip'))
    return bytes
  }
  const ask = async (os = 'linux') => (await root.send('GET', `/api/v1/install?os=${os}&agent=nezha`)).body
  const install = async () => {
    const { command } = (await ask()).data as { command: string }
    return run(command, { QD_AGENT_DIR: join(home, 'agent') })
  }
  beforeEach(async () => {
    await agentsConnectTo(`127.0.0.1:${world.port}`)
    rmSync(mirrored('.'), { recursive: true, force: true })
  })

  test('is refused without a pinned release, and says why', async () => {
    expect(await ask()).toMatchObject({
      code: 'nezhaReleaseRequired',
      error: expect.stringContaining('nezha-agent/manifest.json'),
    })
  })

  test.each<[string, object, string]>([
    ['a hostile file name', { files: { "nezha-agent_linux_';id;'.zip": '00'.repeat(32) } }, 'Invalid'],
    ['no checksum', { files: { [archive]: 'main' } }, archive],
    ['a branch for a version', { version: 'main', files: {} }, 'version'],
    ['an address that is none', { url: 'javascript:id', files: {} }, 'url'],
    ['no file for this system', { files: { 'nezha-agent_windows_amd64.zip': '00'.repeat(32) } }, 'no file for linux'],
    ['a file that is not there', { files: { [archive]: '00'.repeat(32) } }, `${archive} is not beside it`],
  ])('is refused with %s', async (_name, manifest, reason) => {
    mirror(manifest)
    const error = await ask()
    expect(error).toMatchObject({ code: 'nezhaReleaseUnusable', error: expect.stringContaining(reason) })
    // Every language’s title contains it, so no client shows it twice.
    expect(error.params).toEqual({ reason: error.error })
  })

  test('is installed by the copied command from the mirror of this server; a second time beside the first settings', async () => {
    const bytes = makeArchive()
    mirror({ files: { [archive]: sumOf(bytes) } })
    writeFileSync(mirrored(archive), bytes)
    const { code, output } = await install()
    expect(output).toContain('version 1.2.3 is running as a service')
    expect(code).toBe(0)
    const { agent_secret } = (await root.api('GET', 'profile')) as { agent_secret: string }
    expect(readFileSync(join(home, 'agent/called'), 'utf8')).toBe(
      `service -c ${home}/agent/config.yml install 127.0.0.1:${world.port} ${agent_secret} `,
    )
    writeFileSync(join(home, 'agent/config.yml'), '')
    expect((await install()).code).toBe(0)
    expect(readFileSync(join(home, 'agent/called'), 'utf8')).toMatch(/agent\/config-\d+\.yml install/)
  })

  test('with a wrong checksum, or one that changed on its way, nothing of it runs', async () => {
    mirror({ files: { [archive]: '00'.repeat(32) } })
    writeFileSync(mirrored(archive), makeArchive())
    const wrong = await install()
    expect(wrong.output).toContain('has the wrong checksum; nothing was changed')
    expect([wrong.code, existsSync(join(home, 'agent'))]).toEqual([1, false])

    const { command } = (await ask()).data as { command: string }
    mirror({ files: { [archive]: sumOf(readFileSync(mirrored(archive))) } })
    const changed = await run(command, { QD_AGENT_DIR: join(home, 'agent') })
    expect(changed.output).toContain('nezha-agent.sh: FAILED')
    expect([changed.code, existsSync(join(home, 'agent'))]).toEqual([1, false])
  })

  test('comes from the release address if the manifest has one; nothing but what it names is served', async () => {
    const bytes = makeArchive()
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url!)
      response.end(bytes)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/it's/v1.2.3/`
    mirror({ files: { [archive]: sumOf(bytes) }, url })
    writeFileSync(mirrored(archive), bytes)
    const { code } = await install()
    server.close()
    expect([code, asked]).toEqual([0, [`/it's/v1.2.3/${archive}`]])
    const status = async (name: string) => (await world.guest().send('GET', `/agent/nezha/${name}`)).status
    expect(await status(archive)).toBe(404)
    mirror({ files: { [archive]: sumOf(bytes) } })
    expect(await status(archive)).toBe(200)
    for (const name of ['manifest.json', '..%2Fquarterdeck.db', 'toString']) expect(await status(name)).toBe(404)
  })

  test('a HEAD tells its size, and leaves no file open', async () => {
    // More than a stream reads ahead, at whose end it would close.
    const bytes = Buffer.alloc(2 ** 20)
    mirror({ files: { [archive]: sumOf(bytes) } })
    writeFileSync(mirrored(archive), bytes)
    const openFiles = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        const path = `/proc/self/fd/${fd}`
        // That of the folder itself is closed by now.
        return existsSync(path) && readlinkSync(path).endsWith(`/${archive}`)
      })
    for (let i = 0; i < 20; i += 1) {
      const { ok, headers } = await fetch(`${world.origin}/agent/nezha/${archive}`, { method: 'HEAD' })
      expect([ok, headers.get('content-length')]).toEqual([true, String(bytes.length)])
    }
    expect(openFiles()).toEqual([])
  })
})

describe('the agent is served', () => {
  test('with version, size and checksum, to be kept for ever under its checksum', async () => {
    const guest = world.guest()
    const manifest = JSON.parse((await guest.send('GET', '/agent/manifest.json')).text) as Record<string, string>
    const plain = await guest.send('GET', '/agent/quarterdeck-agent.mjs')
    const kept = await guest.send('GET', `/agent/quarterdeck-agent.mjs?sha256=${manifest.sha256}`)
    const sha256 = createHash('sha256').update(plain.bytes).digest('hex')
    expect(manifest).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      sha256,
      size: plain.bytes.length,
      signatures: { installation: expect.stringMatching(/^[\w+/]{86}==$/) },
    })
    expect([plain.headers['cache-control'], kept.headers['cache-control']]).toEqual([
      'no-cache',
      'public, max-age=31536000, immutable',
    ])
    expect((await guest.send('GET', '/agent/quarterdeck-agent.mjs?sha256=0')).status).toBe(404)
    expect((await guest.send('GET', '/agent/node-pty-plan9-mips.tgz')).status).toBe(404)
  })
})
