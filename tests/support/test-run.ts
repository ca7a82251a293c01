import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from './peers/postgres.ts'
import { isOnPostgres } from './test-database.ts'

const memory = '/dev/shm'
const enoughBytes = 8 * 1024 ** 3

/** What `TMPDIR` names, else memory if there is enough and programs may run in it, since test servers commit thousands of times and each commit waits for the disk. */
function parentFolder(): string {
  const mounts = existsSync('/proc/mounts') ? readFileSync('/proc/mounts', 'utf8').split('\n') : []
  const isUsable = mounts.some((mount) => mount.split(' ')[1] === memory && !mount.includes('noexec'))
  if (process.env.TMPDIR || !isUsable) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, freemem()) > enoughBytes ? memory : tmpdir()
}

/** A run that was killed leaves its folder. */
function removeOld(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = /^qd-run-(\d+)-/.exec(name)?.[1]
    if (!pid || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // Another run is removing it, or a program of the killed one still writes there: the next run tries again.
    }
  }
}

/**
 * Before a run of tests: one folder in which the tests, and the programs that they start, make their temporary files, and PostgreSQL if their
 * servers are to use it (`databaseOf`). Returns how both are removed after the run.
 */
export default async function prepareRun(): Promise<() => Promise<void>> {
  const parent = parentFolder()
  removeOld(parent)
  const folder = mkdtempSync(join(parent, `qd-run-${process.pid}-`))
  // Others get through, such as the user that PostgreSQL runs as.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  const postgres = isOnPostgres ? await startPostgres({ connections: 400 }) : null
  if (postgres) process.env.QD_TEST_POSTGRES = postgres.url
  return async () => {
    await postgres?.close()
    // Programs that a test has just ended may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}
