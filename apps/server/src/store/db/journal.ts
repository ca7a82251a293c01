import { open } from 'node:fs/promises'
import { runThread } from '../../kernel/thread.ts'

/** The log that SQLite appends each commit to, and from which it copies into the database now and then. */
export interface Journal {
  /** Resolves when everything committed before this call survives a loss of power. Errors: what the disk says. */
  toDisk(): Promise<void>
  /** True when it should be emptied. */
  isLong(): Promise<boolean>
  /** Copies it into the database and begins it anew; nothing else may use the connection meanwhile. */
  empty(): Promise<void>
  close(): Promise<void>
}

/** What it may grow by before it is emptied. */
const longBytes = 4 * 1024 * 1024
/** Its length is looked at after this many waits for the disk. */
const lookEvery = 16

/**
 * The log of an open SQLite database in WAL mode, whose waits for the disk are those of other threads: a disk that something else keeps busy
 * takes a second for a sync, and the event loop must not stand still for it. `failed` hears why it could not be emptied.
 */
export async function openJournal(database: string, failed: (error: unknown) => void): Promise<Journal> {
  // Windows syncs only what may be written.
  const log = await open(`${database}-wal`, 'r+')
  let syncs = 0
  const sync = together(() => {
    syncs += 1
    return log.datasync()
  })
  let longAt = longBytes
  return {
    toDisk: sync,
    isLong: async () => syncs % lookEvery === 0 && (await log.stat()).size >= longAt,
    async empty() {
      try {
        await runThread('checkpoint', { file: database })
      } catch (error) {
        failed(error)
        throw error
      } finally {
        // While another program reads, the log keeps its length.
        longAt = (await log.stat()).size + longBytes
      }
    },
    async close() {
      await sync()
      await log.close()
    },
  }
}

/** `work` for many at once: who comes while it runs waits for the next run, together with all who came by then. */
export function together(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        running = work()
        return running
      })
    return next
  }
}
