import { ServiceStatus } from '@qd/core/resources'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openForTest } from '../../../../../tests/support/server/db.ts'
import type { Db } from '../../store/db/schema.ts'
import { emptyState } from './decide.ts'
import { loadStates, saveStates } from './state-store.ts'

describe.each(['sqlite', 'postgres'] as const)('states of monitors on %s', (engine) => {
  let db: Db
  beforeAll(async () => {
    db = await openForTest(engine)
  })
  afterAll(() => db.destroy())

  const state = {
    ...emptyState(1000),
    status: ServiceStatus.low,
    rounds: [{ at: 2000, up: 3, down: 1 }],
    certificates: [{ issuer: 'R11', expiresAt: 5000 }],
  }

  test('are written over what is there, more than fit into one statement', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => index + 1)
    await saveStates(
      db,
      ids.map((id) => [id, { state: emptyState(0), lastResultAt: 0 }] as const),
    )
    await saveStates(db, [[7, { state, lastResultAt: 2500 }]])
    const states = await loadStates(db)
    expect(states.size).toBe(120)
    expect(states.get(7)).toEqual({ state, lastResultAt: 2500 })
  })

  test('S-49 a damaged one counts as empty', async () => {
    await sql`update service_states set rounds = '[{"at":1},null,7]', certificates = 'x' where service_id = 7`.execute(
      db,
    )
    expect((await loadStates(db)).get(7)!.state).toMatchObject({
      status: ServiceStatus.low,
      rounds: [],
      certificates: [],
    })
  })
})
