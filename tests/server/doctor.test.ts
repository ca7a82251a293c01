import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { isOnPostgres } from '../support/test-database.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

let world: World
let admin: Browser
const folder = mkdtempSync(join(tmpdir(), 'qd-doctor-'))

beforeAll(async () => {
  world = await createWorld()
  admin = await world.login()
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

const found = async () =>
  Object.fromEntries(
    ((await admin.api('GET', 'setting/doctor')) as { check: string; names: string[] }[])
      // With PostgreSQL, the site is told as well.
      .filter(({ check }) => check !== 'activeServer')
      .map(({ check, names }) => [check, names]),
  )

test('N-25 the doctor names who is meant, and says nothing of what is well', async () => {
  // Backups of PostgreSQL are its own.
  expect(await found()).toEqual({ ...(!isOnPostgres && { noBackup: ['-'] }), noSecondFactor: ['admin'] })
  await admin.api('POST', 'user', { username: 'changeme', password: 'changeme', role: 0 })
  await world.agent({ uuid: uuidOf(1), host: { version: '1.2.0' } })
  await world.agent({ uuid: uuidOf(2), host: { version: '1.10.0' } })
  const now = await found()
  expect(now).toMatchObject({ defaultPassword: ['changeme'], noSecondFactor: ['admin', 'changeme'] })
  await expect.poll(async () => (await found()).oldAgents).toEqual([expect.stringContaining('(1.2.0)')])
})

test('only administrators may ask', async () => {
  await admin.api('POST', 'user', { username: 'mia', password: 'a long password', role: 1 })
  const member = await world.login({ username: 'mia', password: 'a long password' })
  expect((await member.send('GET', '/api/v1/setting/doctor')).body.success).not.toBe(true)
})
