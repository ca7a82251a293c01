import type { Base } from '../../base.ts'
import { listOf } from '../../kernel/json.ts'
import { excluded } from '../../store/db/columns.ts'
import type { Db } from '../../store/db/schema.ts'
import type { Certificate } from './certificate.ts'
import { emptyState, type MonitorState } from './decide.ts'
import type { Round, Status } from './window.ts'

export interface KeptState {
  readonly state: MonitorState
  readonly lastResultAt: number
}

const perWrite = 50

/** A damaged text counts as an empty list (S-49). */
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
        conflict
          .column('service_id')
          .doUpdateSet(excluded('status', 'since', 'last_result_at', 'rounds', 'certificates')),
      )
      .execute()
  }
}

function goodOf<T extends object>(text: string, isGood: (entry: T) => boolean): readonly T[] {
  return listOf<T | null>(text).filter(
    (entry): entry is T => typeof entry === 'object' && entry !== null && isGood(entry),
  )
}

const everyMs = 60_000
const soonMs = 1_000

/** `stateOf` returns null for a deleted service. */
export function createStateWrites(
  { db, clock, log }: Pick<Base, 'db' | 'clock' | 'log'>,
  stateOf: (id: number) => KeptState | null,
) {
  const unsaved = new Set<number>()
  let cancel = () => {}
  let dueAt = Number.POSITIVE_INFINITY
  let problem: string | null = null
  let isRunning = false

  function within(ms: number) {
    const at = clock.now() + ms
    if (!isRunning || at >= dueAt) return
    cancel()
    dueAt = at
    cancel = clock.after(ms, () => void save())
  }

  async function save() {
    const states = [...unsaved].flatMap((id) => {
      const state = stateOf(id)
      return state ? [[id, state] as const] : []
    })
    unsaved.clear()
    dueAt = Number.POSITIVE_INFINITY
    try {
      await saveStates(db, states)
      problem = null
    } catch (error) {
      for (const [id] of states) unsaved.add(id)
      problem = 'failed to write service states'
      log.error({ err: error }, problem)
    }
    within(everyMs)
  }

  return {
    /** `soon`: the change must not be lost. */
    changed(id: number, soon: boolean): void {
      unsaved.add(id)
      if (soon) within(soonMs)
    },
    start(): void {
      isRunning = true
      within(everyMs)
    },
    problem: () => problem,
    async stop(): Promise<void> {
      isRunning = false
      cancel()
      await save()
      if (problem !== null) throw new Error(problem)
    },
  }
}
