import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
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
afterAll(() => {
  for (const one of containers) buildah('rm', one)
})

test.runIf(isPossible)('the image is small, has no rights, and serves the console and qd', async () => {
  const from = ['--build-arg', `NODE_IMAGE=${node}`, '--build-arg', `BASE_IMAGE=${base}`]
  execFileSync('buildah', ['bud', '--layers', ...from, '-t', image, '.'], { env, cwd: root, stdio: 'ignore' })
  const { OCIv1: made } = JSON.parse(buildah('inspect', '--type', 'image', image)) as {
    OCIv1: { config: { User: string; Volumes: object } }
  }
  expect(made.config).toMatchObject({ User: 'quarterdeck', Volumes: { '/data': {} } })
  containers.push(buildah('from', image), buildah('from', base!))
  const [own, bare] = containers.map((one) =>
    Number(buildah('run', '--user', '0', one, '--', 'du', '-sxm', '--exclude=/proc', '/').split('\t')[0]),
  ) as [number, number]
  // 250 MB with the 75 of Debian’s slim image, which the one of a test isn’t.
  expect(own - bare).toBeLessThan(175)

  const words = ['run', '-e', 'QD_HOST=127.0.0.1', '-e', 'QD_PORT=0', containers[0]!, '--', 'quarterdeck']
  const server = spawn('buildah', words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    let said = ''
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (said += chunk))
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/ready: http:\/\/[\d.:]+/)
    expect(said).toMatch(/First start: sign in as admin with the password \S+/)
    const [, origin] = /ready: (http:\/\/[\d.:]+)/.exec(said)!
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${origin}/dashboard`)).text()).toContain('<script')
    expect(buildah('run', containers[0]!, '--', 'id', '-un')).toBe('quarterdeck')
    expect(buildah('run', containers[0]!, '--', 'qd', '--version')).toMatch(/^\d+\.\d+\.\d+$/)
  } finally {
    const gone = once(server, 'exit')
    server.kill('SIGTERM')
    await gone
  }
})
