import { workerData } from 'node:worker_threads'
import Driver from 'better-sqlite3'

/** A thread that empties the log of a database, `workerData.file`, while its holder uses it for nothing else; then it ends. */
const { file } = workerData as { file: string }

/** How long another program that reads, a backup say, is waited for: calls that need the database wait as long. */
const busyMs = 100

const database = new Driver(file, { timeout: busyMs })
try {
  database.pragma('synchronous = FULL')
  const [state] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
  // The first commit to an empty log waits for the disk wherever it is made: it is made here, and changes nothing.
  if (state?.busy === 0) database.pragma(`user_version = ${database.pragma('user_version', { simple: true })}`)
} finally {
  database.close()
}
