import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { distrusts } from '@qd/agent/update'
import { type AgentManifest, agentPaths } from '@qd/protocol/agent-update'
import { afterAll, expect, test } from 'vitest'
import { createWorld } from '../support/world.ts'

const folder = mkdtempSync(join(tmpdir(), 'qd-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('issue 37.5 a release’s build has its public key in the agent, and the server offers it with the release’s signature', async () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const file = join(folder, 'key.pem')
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const build = `import { targets } from './scripts/build.mjs'; await targets['apps/agent'].build(${JSON.stringify(folder)})`
  execFileSync(process.execPath, ['--input-type=module', '-e', build], {
    cwd: new URL('../../', import.meta.url),
    env: { ...process.env, QD_RELEASE_KEY: file },
  })
  const release = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  const bytes = readFileSync(join(folder, 'main.js'))
  expect(bytes.toString()).toContain(release)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const world = await createWorld({ config: { agentBundle: join(folder, 'main.js') } })
  const manifest = JSON.parse((await world.guest().send('GET', agentPaths.manifest)).text) as AgentManifest
  await world.close()
  expect(manifest.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect(distrusts(manifest, { release, installation: '' }, true)).toBeUndefined()
  expect(distrusts({ ...manifest, version: '0.0.1' }, { release, installation: '' }, true)).toMatch(
    /release has signed/,
  )
})
