import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { buildPrograms } from '../support/programs.ts'
import { createWorld, uuidOf } from '../support/world.ts'

const file = (name: string) => fileURLToPath(new URL(`../data/tls/localhost.${name}.pem`, import.meta.url))

test('our agent over TLS takes the credential of a move, keeps it, and confirms the move with it', async () => {
  const programs = await buildPrograms()
  const folder = mkdtempSync(join(tmpdir(), 'qd-transfer-'))
  const tls = { cert: readFileSync(file('cert'), 'utf8'), key: readFileSync(file('key'), 'utf8') }
  const world = await createWorld({ config: { tls } })
  const alice = await world.member('alice')
  const config = join(folder, 'agent.json')
  const words = ['--server', `127.0.0.1:${world.port}`, '--secret', alice.secret, '--uuid', uuidOf(1), '--tls']
  const agent = spawn(process.execPath, [programs.agent, ...words, '--config', config], {
    stdio: 'ignore',
    env: { ...process.env, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: file('cert') },
  })
  try {
    const { agents, servers, transfers } = world.server.container
    await vi.waitFor(() => expect(agents.connected(1)).toBe(true), 30_000)
    const root = await world.login()
    const bob = await world.member('bob')
    await root.api('POST', 'batch-move/server', { ids: [1], to_user: bob.id })
    await vi.waitFor(() => expect(transfers.find(1)).toMatchObject({ status: 1, last_error: '' }), 60_000)
    expect(servers.find(1)!.owner_id).toBe(bob.id)
    expect(readFileSync(config, 'utf8')).toContain(transfers.secretOf(1, 'apply'))
  } finally {
    const gone = once(agent, 'exit')
    agent.kill('SIGTERM')
    await gone
    await world.close()
    programs.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
