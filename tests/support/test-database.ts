import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import Driver from 'better-sqlite3'

/** Whether the servers of tests keep their data in PostgreSQL (`npm test -- --postgres`). */
export const isOnPostgres: boolean = process.env.QD_TEST_DATABASE === 'postgres'

const nameOf = (folder: string) => `of_${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 20)}`

/** That of the run: some tests give what they start a PATH of its own. */
const env = { ...process.env }

/** Says one thing to a database, such as that of the cluster of the run, which `test-run.ts` starts. */
function say(url: string, statement: string): void {
  const { status, stderr, error } = spawnSync('psql', [url, '-qc', statement], { encoding: 'utf8', env })
  if (error) throw error
  if (status !== 0 && !stderr.includes('already exists')) throw new Error(`${statement}: ${stderr}`)
}

/** `DATABASE_URL` of the server on this data folder, which has a database of its own in the cluster of the run; null if servers use SQLite. */
export function databaseOf(folder: string): string | null {
  const cluster = process.env.QD_TEST_POSTGRES
  if (!isOnPostgres || cluster === undefined) return null
  say(cluster, `create database ${nameOf(folder)}`)
  const url = new URL(cluster)
  url.pathname = nameOf(folder)
  return url.href
}

/** Drops the database of a folder that is removed. */
export function dropDatabaseOf(folder: string): void {
  const cluster = process.env.QD_TEST_POSTGRES
  if (isOnPostgres && cluster !== undefined) say(cluster, `drop database if exists ${nameOf(folder)} with (force)`)
}

/** Changes the data of a stopped server behind its back. */
export function changeDatabaseOf(folder: string, statement: string): void {
  const url = databaseOf(folder)
  if (url !== null) {
    say(url, statement)
    return
  }
  const file = new Driver(join(folder, 'quarterdeck.db'))
  file.exec(statement)
  file.close()
}

let pending = 0

/** Counts the answers that a method of the driver is waiting for. */
function count(of: object, name: string): void {
  const methods = of as Record<string, (...args: unknown[]) => unknown>
  const method = methods[name]!
  const settled = () => {
    pending -= 1
  }
  methods[name] = function (...args) {
    const answer = method.apply(this, args)
    if (!(answer instanceof Promise)) return answer
    pending += 1
    answer.then(settled, settled)
    return answer
  }
}

if (isOnPostgres) {
  const { Pool, Client } = (await import('pg')).default
  count(Pool.prototype, 'connect')
  count(Client.prototype, 'query')
}

/** Whether a server within this process waits for an answer of PostgreSQL. */
export const isDatabaseBusy = (): boolean => pending > 0
