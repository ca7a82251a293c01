import { type DatabaseConnection, type Driver, SqliteDialect } from 'kysely'

/**
 * SQLite for Kysely, whose one connection is handed on in the order in which it was asked for. Kysely's own lock wakes
 * everybody who waits each time it is free: a thousand waiting calls then cost half a million wake-ups (issue 11.2).
 */
export class SqliteInTurn extends SqliteDialect {
  override createDriver(): Driver {
    return inTurn(super.createDriver())
  }
}

function inTurn(driver: Driver): Driver {
  const waiting: (() => void)[] = []
  let next = 0
  let isTaken = false

  async function acquireConnection(): Promise<DatabaseConnection> {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
    isTaken = true
    return driver.acquireConnection()
  }
  async function releaseConnection(connection: DatabaseConnection): Promise<void> {
    await driver.releaseConnection(connection)
    const resolve = waiting[next]
    next += 1
    if (resolve) return resolve()
    waiting.length = 0
    next = 0
    isTaken = false
  }
  return new Proxy(driver, {
    get(target, name) {
      if (name === 'acquireConnection') return acquireConnection
      if (name === 'releaseConnection') return releaseConnection
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
