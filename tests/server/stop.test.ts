import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { onlySqlite } from '../support/only-sqlite.ts'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { startProgram } from '../support/program.ts'
import { siteSecret, uuidOf } from '../support/world.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-stop-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const start = (environment: Record<string, string> = {}) =>
  startProgram(['--no-agent', '--port', '0', '--data', folder], {
    QD_ADMIN_PASSWORD: 'a first password',
    QD_AGENT_SECRET: siteSecret,
    QD_LOG: 'json',
    ...environment,
  })

onlySqlite('issue 10.13: a stop that leaves something unwritten says what and ends with code 1', async () => {
  const program = start()
  const port = Number(new URL(await program.ready()).port)
  const agent = await startSimulatedAgent({ port, secret: siteSecret, uuid: uuidOf(1) })
  // Somebody's tool holds the file of history, so that the last samples cannot be stored.
  const holder = new Driver(join(folder, 'history.db'))
  holder.exec('begin exclusive')
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(1)
  expect(program.output.errors).toContain('"engines":["history"]')
  holder.close()
  agent.vanish()
})

test('issue 10.13: a stop that is cut short ends with code 1', async () => {
  const sockets: Socket[] = []
  // A database that takes the connection and never answers: the start cannot end.
  const silent = createServer((socket) => void sockets.push(socket))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const program = start({ DATABASE_URL: `postgres://127.0.0.1:${port}/x` })
  await expect.poll(() => sockets.length).toBe(1)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(1)
  expect(program.output.errors).toContain('stop interrupted')
  for (const socket of sockets) socket.destroy()
  silent.close()
})
