import type { AuditChange } from '@qd/core/resources'
import type { Insertable } from 'kysely'
import type { Logger } from 'pino'
import type { Caller } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { AuditTable, Db } from '../db/schema.ts'
import { createWriteBehind } from '../db/write-behind.ts'

/** Append-only record of who did what. Never awaited by callers; failures are logged. */
export interface Audit {
  record(entry: AuditEntry): void
}

/** What is recorded. `names` are those of the records that `target` lists by their ids. */
export interface AuditEntry {
  caller: Caller | null
  action: string
  target?: string
  result: 'ok' | 'refused' | 'failed'
  names?: string
  changes?: readonly AuditChange[]
}

/** Longest text of an entry that comes from outside. */
const maxText = 256

/** Entries that wait for room on the disk; beyond that the oldest are given up. */
const mostWaiting = 20_000
/** Rows of one insert. */
const slice = 200

/** Writes audit rows behind the answers; `settled` waits for those under way. */
export function createAudit({
  db,
  clock,
  log,
}: {
  db: Db
  clock: Clock
  log: Logger
}): Audit & { settled(): Promise<void>; trouble(): string | null } {
  const waiting: Insertable<AuditTable>[] = []
  const writer = createWriteBehind(
    { clock, log },
    {
      what: 'audit entries',
      isLeft: () => waiting.length > 0,
      async writeSome() {
        const rows = waiting.splice(0, slice)
        try {
          await db.insertInto('audit').values(rows).execute()
        } catch (error) {
          waiting.unshift(...rows)
          throw error
        }
      },
    },
  )
  return {
    record({ caller, action, target = '', result, names = '', changes = [] }) {
      const row = {
        at: clock.now(),
        user_id: caller?.viewer.id ?? 0,
        username: nameOf(caller),
        action,
        target: target.slice(0, maxText),
        result,
        address: caller?.address ?? '',
        names: names.slice(0, maxText),
        changes: JSON.stringify(changes),
      }
      waiting.push(row)
      if (waiting.length > mostWaiting) {
        waiting.shift()
        log.error({ action: row.action }, 'audit queue full; the oldest entry was dropped')
      }
      writer.wake()
    },
    settled: writer.settled,
    trouble: writer.trouble,
  }
}

/** Who it was; of an API token also which. */
function nameOf(caller: Caller | null): string {
  if (!caller) return ''
  const { viewer, token } = caller
  return token ? `${viewer.username} (${token.name})` : viewer.username
}
