import { listOf } from '../../store/db/columns.ts'
import type { Db } from '../../store/db/schema.ts'
import type { Certificate } from './certificate.ts'
import { emptyState, type MonitorState } from './decide.ts'
import type { Round, Status } from './window.ts'

/** What outlives the process of a monitor. */
export interface KeptState {
  readonly state: MonitorState
  /** Epoch ms. */
  readonly lastResultAt: number
}

/** Rows of one write. */
const perWrite = 50

/** States by service. A damaged text counts as an empty list (S-49). */
export async function loadStates(db: Db): Promise<Map<number, KeptState>> {
  const rows = await db.selectFrom('service_states').selectAll().execute()
  return new Map(
    rows.map(({ service_id, status, since, last_result_at, rounds, certificates }) => [
      service_id,
      {
        lastResultAt: last_result_at,
        state: {
          ...emptyState(since),
          status: status as Status,
          rounds: goodOf<Round>(rounds, ({ at, up, down }) => [at, up, down].every(Number.isFinite)),
          certificates: goodOf<Certificate>(certificates, ({ expiresAt }) => Number.isFinite(expiresAt)),
        },
      },
    ]),
  )
}

/** Writes these states over what is there, some at a time. */
export async function saveStates(db: Db, states: readonly (readonly [id: number, KeptState])[]): Promise<void> {
  for (let start = 0; start < states.length; start += perWrite) {
    const rows = states.slice(start, start + perWrite).map(([id, { state, lastResultAt }]) => ({
      service_id: id,
      status: state.status,
      since: state.since,
      last_result_at: lastResultAt,
      rounds: JSON.stringify(state.rounds),
      certificates: JSON.stringify(state.certificates),
    }))
    await db
      .insertInto('service_states')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('service_id').doUpdateSet(({ ref }) => ({
          status: ref('excluded.status'),
          since: ref('excluded.since'),
          last_result_at: ref('excluded.last_result_at'),
          rounds: ref('excluded.rounds'),
          certificates: ref('excluded.certificates'),
        })),
      )
      .execute()
  }
}

function goodOf<T extends object>(text: string, isGood: (entry: T) => boolean): readonly T[] {
  return listOf<T | null>(text).filter(
    (entry): entry is T => typeof entry === 'object' && entry !== null && isGood(entry),
  )
}
