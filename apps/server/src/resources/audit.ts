import type { Logger } from 'pino'
import type { Db } from '../db/schema.ts'
import type { Audit, Caller, Clock } from '../services.ts'

/** Longest text of an entry that comes from outside. */
const maxText = 256

/** Writes audit rows behind the answers; `settled` waits for those under way. */
export function createAudit({
  db,
  clock,
  log,
}: {
  db: Db
  clock: Clock
  log: Logger
}): Audit & { settled(): Promise<void> } {
  let writing: Promise<unknown> = Promise.resolve()
  return {
    record({ caller, action, target = '', result }) {
      const row = {
        at: clock.now(),
        user_id: caller?.viewer.id ?? 0,
        username: nameOf(caller),
        action,
        target: target.slice(0, maxText),
        result,
        address: caller?.address ?? '',
      }
      writing = writing
        .then(() => db.insertInto('audit').values(row).execute())
        .catch((error: unknown) => log.error({ err: error }, 'the audit record could not be written'))
    },
    async settled() {
      await writing
    },
  }
}

/** Who it was; of an API token also which. */
function nameOf(caller: Caller | null): string {
  if (!caller) return ''
  const { viewer, token } = caller
  return token ? `${viewer.username} (${token.name})` : viewer.username
}
