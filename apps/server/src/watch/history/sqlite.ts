import { chmodSync, existsSync, renameSync, statSync } from 'node:fs'
import Driver from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { historyTables } from '../../store/db/migrations/0008-history.ts'
import type { HistoryTables } from '../../store/db/schema.ts'
import { watched } from '../../store/db/storage.ts'
import { type OpenedHistory, openHistoryStore } from './store.ts'

/** Wait for another program's lock: shorter than the server waits for this thread at its stop. */
const busyMs = 500
/** Another version wrote a file with another number. */
export const schemaVersion = 1
/** Free pages that are kept: at least, and as a share. */
const spare = { pages: 256, part: 0.1 }
/** Pages freed at once: a few milliseconds. */
const slice = 500

/** Opens the history in a file of its own, so that its writes never delay calls. A damaged file is kept as `.damaged`: a server without history is better than none. */
export async function openHistoryFile(file: string): Promise<OpenedHistory> {
  const isEmpty = existsSync(file) && statSync(file).size === 0
  try {
    return await open(file, isEmpty ? `${file} was empty; its data is lost, starting a new file` : null)
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) throw error
    renameSync(file, `${file}.damaged`)
    return open(file, `${file} was damaged; moved it to ${file}.damaged, starting a new file`)
  }
}

async function open(file: string, note: string | null): Promise<OpenedHistory> {
  const database = new Driver(file, { timeout: busyMs })
  try {
    chmodSync(file, 0o600)
    database.pragma('auto_vacuum = INCREMENTAL')
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    const version = database.pragma('user_version', { simple: true }) as number
    if (version > schemaVersion)
      throw new Error(`${file} was written by a newer version; start that version, or move the file away`)
    const db = new Kysely<HistoryTables>({ dialect: new SqliteDialect({ database: watched(database) }) })
    if (version === 0) {
      // All tables or none: a file with some of them couldn't be opened again.
      database.exec('begin')
      await historyTables(db, 'sqlite')
      database.pragma(`user_version = ${schemaVersion}`)
      database.exec('commit')
    }
    const number = (pragma: string) => database.pragma(pragma, { simple: true }) as number
    const store = await openHistoryStore(db, {
      sizeBytes: async () => number('page_count') * number('page_size'),
      compact() {
        const free = number('freelist_count')
        if (free < Math.max(spare.pages, spare.part * number('page_count'))) return false
        database.pragma(`incremental_vacuum(${slice})`)
        return true
      },
    })
    const { dev, ino } = statSync(file)
    return {
      ...store,
      note,
      gone() {
        const now = statSync(file, { throwIfNoEntry: false })
        return now?.ino === ino && now.dev === dev
          ? null
          : `${file} was removed while the server was running; its data is lost, starting a new file`
      },
      async close() {
        await store.close()
        await db.destroy()
        database.close()
      },
    }
  } catch (error) {
    database.close()
    throw error
  }
}
