import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@qd/agent/agent'
import { terminalProtocol } from '@qd/protocol/stream-close'
import { toInputFrame, toResizeFrame } from '@qd/protocol/stream-frames'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestAgent } from '../agent/world.ts'
import type { Browser } from '../support/browser.ts'
import { busyboxImage, type Podman, startPodman, whyNoPodman } from '../support/hosts/podman.ts'
import { openStreamSocket } from '../support/peers/stream-socket.ts'
import { createWorld, siteSecret, type World } from '../support/world.ts'

const whyNot = whyNoPodman()
const dockerProgram = '/usr/local/bin/docker'
let world: World
let root: Browser
let agent: Agent
let podman: Podman
let server: number

interface Row {
  name: string
  ref: string
  state: string
  [field: string]: unknown
}

const read = async () => {
  const { hosts } = (await root.api('GET', 'host/container')) as {
    hosts: { state: string; error?: string; rows: Row[] }[]
  }
  expect(hosts).toMatchObject([{ state: 'read' }])
  return new Map(hosts[0]!.rows.map((row) => [row.ref, row]))
}
const act = async (action: string, ...names: string[]) => {
  const body = { targets: names.map((name) => ({ server_id: server, name })) }
  const { run_id } = (await root.api('POST', `host/container/${action}`, body)) as { run_id: number }
  const itemOf = async () => ((await root.api('GET', `run/${run_id}`)) as { items: { state: string }[] }).items[0]
  await expect.poll(async () => (await itemOf())?.state, { timeout: 20_000 }).toMatch(/success|failure|no_answer/)
  return itemOf()
}
const start = (name: string, ...command: string[]) =>
  podman.run('run', '--detach', '--stop-signal', 'KILL', '--name', name, busyboxImage, ...command)

describe.skipIf(whyNot !== null)(`with podman${whyNot === null ? '' : ` (skipped: ${whyNot})`}`, () => {
  beforeAll(async () => {
    podman = await startPodman(mkdtempSync(join(tmpdir(), 'qd-engines-')))
    vi.stubEnv('PATH', `${podman.bin}:/usr/bin:/bin`)
    start('app', 'sleep', '1000')
    start('crashed', 'false')
    const health = ['--health-cmd', 'false', '--health-retries', '1']
    podman.run('run', '--detach', '--stop-signal', 'KILL', ...health, '--name', 'sick', busyboxImage, 'sleep', '1000')
    expect(() => podman.run('healthcheck', 'run', 'sick')).toThrow()
    world = await createWorld()
    root = await world.login()
    agent = startTestAgent(world, { config: { client_secret: siteSecret } })
    const { agents, servers } = world.server.container
    await vi.waitUntil(() => agents.connected(servers.all()[0]?.id ?? 0), 30_000)
    server = servers.all()[0]!.id
  }, 60_000)
  afterAll(async () => {
    await agent?.stop()
    await world?.close()
    await podman?.close()
    vi.unstubAllEnvs()
  }, 60_000)

  test('containers are read as they are', async () => {
    const found = await read()
    expect(found.get('podman/app')).toMatchObject({
      ...{ name: 'app', engine: 'podman', image: busyboxImage, state: 'running', exit_code: null },
      ...{ cpu: expect.any(Number), memory: expect.any(Number) },
    })
    expect(Math.abs(Date.now() - Date.parse(String(found.get('podman/app')!.since)))).toBeLessThan(120_000)
    expect(found.get('podman/sick')).toMatchObject({ state: 'unhealthy', health: 'unhealthy' })
    expect(found.get('podman/crashed')).toMatchObject({ state: 'exited', exit_code: 1, memory: null })
  })

  test('actions reach the containers that they name, and the next reading shows it', async () => {
    await read()
    expect(await act('stop', 'podman/app')).toMatchObject({ state: 'success', exit_code: 0 })
    expect((await read()).get('podman/app')).toMatchObject({ state: 'exited', exit_code: 137 })
    expect(await act('restart', 'podman/app')).toMatchObject({ state: 'success', exit_code: 0 })
    expect((await read()).get('podman/app')).toMatchObject({ state: 'running' })
    expect(await act('remove', 'podman/crashed')).toMatchObject({ state: 'success', exit_code: 0 })
    expect((await read()).has('podman/crashed')).toBe(false)
  })

  test('a container that vanished, and names that look like options or scripts, fail with podman’s words', async () => {
    for (const name of ['vanished', '--version', '$(id) `id`;\'"'])
      expect(await act('start', `podman/${name}`)).toMatchObject({
        state: 'failure',
        exit_code: 125,
        output: expect.stringContaining(`no container with name or ID ${JSON.stringify(name)} found`),
      })
  })

  test('a shell runs inside the container, in a terminal of its size, and the audit says where', async () => {
    const inside = { kind: 'container', name: 'podman/app' }
    const { session_id } = (await root.api('POST', 'terminal', { server_id: server, inside })) as { session_id: string }
    const socket = await openStreamSocket(world, session_id, { browser: root, protocols: [terminalProtocol] })
    socket.send(toResizeFrame({ cols: 97, rows: 31 }))
    await socket.until('# ')
    socket.send(toInputFrame('cat /inside; stty size; exit 7\r'))
    await socket.until('this is inside')
    expect(await socket.closed()).toMatchObject({ reason: expect.stringContaining('7') })
    const { value } = (await root.api('GET', 'audit')) as { value: { action: string; target: string }[] }
    const target = `${server} container podman/app`
    expect(value).toContainEqual(expect.objectContaining({ action: 'terminal open', target }))
  })

  test('the log lines of a container, of both its outputs', async () => {
    start('talker', 'sh', '-c', 'echo said; echo warned >&2; exec sleep 1000')
    const body = { on: `#${server}`, container: 'podman/talker' }
    const { session_id } = (await root.api('POST', 'host/logs', body)) as { session_id: string }
    const socket = await openStreamSocket(world, session_id, { browser: root, kind: 'logs' })
    const output = await socket.until('"ended"')
    expect(output).toContain('"text":"said"')
    expect(output).toContain('"text":"warned"')
    expect(output).toContain('"source":"podman"')
  })

  test('a shell in what is no container is refused before anything starts', async () => {
    for (const inside of [
      { kind: 'container', name: 'app' },
      { kind: 'unit', name: 'nginx.service' },
      'podman/app',
      {},
    ])
      expect((await root.send('POST', '/api/v1/terminal', { body: { server_id: server, inside } })).body).toMatchObject(
        {
          code: 'invalid',
        },
      )
  })

  test.skipIf(!existsSync(dockerProgram))('docker and podman of one host are both read, and told apart', async () => {
    const docker = join(podman.bin, 'docker')
    const script = `#!/bin/sh\nDOCKER_HOST=${await podman.serveDocker()} exec ${dockerProgram} "$@"\n`
    writeFileSync(docker, script, { mode: 0o755 })
    execFileSync(docker, ['create', '--name', 'app', '--network', 'none', busyboxImage, 'sleep', '1000'])
    world.server.container.hostReadings.expire(server)
    const found = await read()
    expect(found.get('docker/app')).toMatchObject({ engine: 'docker', state: 'created', image: busyboxImage })
    expect(found.get('podman/app')).toMatchObject({ engine: 'podman', state: 'running' })
  })
})
