import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestBase, type TestBase } from '../../../../tests/support/server/base.ts'
import { createTestClock } from '../../../../tests/support/server/clock.ts'
import type { Engine } from '../kernel/engine.ts'
import { createAuditLog } from '../store/records/audit.ts'
import { createAuditClearing } from './audit-clearing.ts'

const hour = 3_600_000
const clock = createTestClock()
let base: TestBase
let engine: Engine
beforeEach(async () => {
  base = await createTestBase(clock)
  engine = createAuditClearing({ ...base, retention: clock })
})
afterEach(async () => {
  await engine.stop()
  await base.close()
})

const actions = async () =>
  (await createAuditLog(base.db).list({ options: null, limit: 2000 })).map(({ action }) => action)
const keep = (settings: object) => base.settings.put({ ...base.settings.get(), ...settings })
const note = (action: string) => base.audit.record({ caller: null, action, result: 'ok' })

test('R-11: what is older than the settings say goes, within an hour', async () => {
  for (const action of ['first', 'second', 'third']) {
    note(action)
    clock.jump(24 * hour)
  }
  await expect.poll(actions).toEqual(['third', 'second', 'first'])
  await keep({ audit_days: 2 })
  await engine.start()
  await expect.poll(actions).toEqual(['third', 'second'])
  await clock.advance(hour)
  await expect.poll(actions).toEqual(['third'])
})

test('R-11: of more than the settings say the oldest go', async () => {
  for (let n = 0; n < 1700; n += 1) note(`a${n}`)
  await expect.poll(async () => (await actions()).length).toBe(1700)
  await keep({ audit_entries: 1000 })
  await engine.start()
  await expect.poll(async () => (await actions()).length).toBe(1000)
  expect((await actions()).at(-1)).toBe('a700')
})
