import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 60_000 })

/** What the Dockerfile is built from where no registry is reachable; docs/develop/traps.md says how to make both. */
const { QD_NODE_IMAGE: node, QD_BASE_IMAGE: base } = process.env
const isPossible = node !== undefined && base !== undefined && spawnSync('buildah', ['--version']).status === 0
if (!isPossible)
  process.stderr.write(
    'the container image is not built: QD_NODE_IMAGE and QD_BASE_IMAGE name no images, or buildah is missing\n',
  )

const image = 'localhost/quarterdeck-under-test'
const root = fileURLToPath(new URL('../../', import.meta.url))
const env = { ...process.env, STORAGE_DRIVER: 'overlay', BUILDAH_ISOLATION: 'chroot' }
const buildah = (...words: string[]) => execFileSync('buildah', words, { env, cwd: root, encoding: 'utf8' }).trim()
const containers: string[] = []
const data = mkdtempSync(join(tmpdir(), 'qd-image-'))
afterAll(() => {
  for (const one of containers) buildah('rm', one)
  rmSync(data, { recursive: true, force: true })
})

/** Starts the server as `docker run -v …:/data` does. */
async function start() {
  const words = ['run', '-v', `${data}:/data`, '-e', 'QD_HOST=127.0.0.1', '-e', 'QD_PORT=0']
  const server = spawn('buildah', [...words, containers[0]!, '--', 'quarterdeck'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (said += chunk))
  const stop = async () => {
    const gone = once(server, 'exit')
    server.kill('SIGTERM')
    await gone
  }
  try {
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/ready: http:\/\/[\d.:]+/)
  } catch (error) {
    await stop()
    throw error
  }
  return { said: () => said, origin: /ready: (http:\/\/[\d.:]+)/.exec(said)![1]!, stop }
}

const signIn = async (origin: string, password: string) =>
  (
    await fetch(`${origin}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
  ).headers.getSetCookie().length > 0

test.runIf(isPossible)('the image is small, has no rights, serves the console and qd, and keeps its data', async () => {
  const from = ['--build-arg', `NODE_IMAGE=${node}`, '--build-arg', `BASE_IMAGE=${base}`]
  execFileSync('buildah', ['bud', '--format', 'docker', '--layers', ...from, '-t', image, '.'], {
    env,
    cwd: root,
    stdio: 'ignore',
  })
  const { Docker: made } = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
    Docker: { config: { User: string; Volumes: object; Healthcheck: { Test: string[] } } }
  }
  expect(made.config).toMatchObject({ User: 'quarterdeck', Volumes: { '/data': {} } })
  containers.push(buildah('from', image), buildah('from', base!))
  const [own, bare] = containers.map((one) =>
    Number(buildah('run', '--user', '0', one, '--', 'du', '-sxm', '--exclude=/proc', '/').split('\t')[0]),
  ) as [number, number]
  // 250 MB with the 75 of Debian’s slim image, which the one of a test isn’t.
  expect(own - bare).toBeLessThan(175)

  chownSync(data, 8008, 8008)
  let server = await start()
  const [, password = ''] = /First start: sign in as admin with the password (\S+)/.exec(server.said()) ?? []
  try {
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${server.origin}/dashboard`)).text()).toContain('<script')
    expect(await signIn(server.origin, password)).toBe(true)
    const [, ...check] = made.config.Healthcheck.Test
    const port = new URL(server.origin).port
    buildah('run', '-e', `QD_PORT=${port}`, containers[0]!, '--', ...check)
    const failing = spawnSync('buildah', ['run', '-e', 'QD_PORT=1', containers[0]!, '--', ...check], { env })
    expect(failing.status).not.toBe(0)
    expect(buildah('run', containers[0]!, '--', 'id', '-un')).toBe('quarterdeck')
    expect(buildah('run', containers[0]!, '--', 'qd', '--version')).toMatch(/^\d+\.\d+\.\d+$/)
  } finally {
    await server.stop()
  }
  server = await start()
  try {
    expect(server.said()).not.toContain('First start')
    expect(await signIn(server.origin, password)).toBe(true)
  } finally {
    await server.stop()
  }
})
