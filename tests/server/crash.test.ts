import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Driver from 'better-sqlite3'
import { expect } from 'vitest'
import { createBrowser } from '../support/browser.ts'
import { onlySqlite as test } from '../support/only-sqlite.ts'
import { startProgram } from '../support/program.ts'
import { createWorld } from '../support/world.ts'

const members = 20

test('R-01 kill -9 during 1000 writes loses nothing that was acknowledged and leaves no half of anything', async () => {
  const data = mkdtempSync(join(tmpdir(), 'qd-crash-'))
  const before = await createWorld({ data })
  const servers: number[] = []
  for (let n = 1; n <= members; n += 1) {
    servers.push((await before.server.container.servers.enrol({ uuid: `crash-${n}`, ownerId: 0 })).id)
  }
  await before.close()

  const program = startProgram(['--no-agent', '--port', '0', '--data', data])
  const browser = createBrowser(await program.ready())
  await browser.login('admin', 'correct horse battery')
  const acknowledged = new Set<string>()
  let sent = 0
  const writer = async () => {
    while (sent < 1000) {
      const name = `group ${sent++}`
      const answer = await browser.send('POST', '/api/v1/server-group', { body: { name, servers } }).catch(() => null)
      if (answer?.body?.success) acknowledged.add(name)
      if (acknowledged.size === 300) program.child.kill('SIGKILL')
      if (answer === null) return
    }
  }
  await Promise.all(Array.from({ length: 8 }, writer))
  expect(await program.ended).toBeNull()
  expect(acknowledged.size).toBeLessThan(1000)

  const file = new Driver(join(data, 'quarterdeck.db'))
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
  file.close()
  const after = await createWorld({ data })
  const groups = after.server.container.serverGroups.all()
  const names = new Set(groups.map((group) => group.name))
  expect([...acknowledged].filter((name) => !names.has(name))).toEqual([])
  expect(groups.filter((group) => group.servers.length !== members)).toEqual([])
  await after.close()
  rmSync(data, { recursive: true, force: true })
})
