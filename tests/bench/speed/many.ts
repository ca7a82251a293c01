import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Product, startProduct } from '../product.ts'

/** Runs with a server that knows so many servers, all offline: so many agents have no room on one machine. */
export async function withManyServers<Result>(
  count: number,
  run: (product: Product) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'qd-bench-rows-'))
  try {
    const first = await startProduct(folder)
    await first.agents(1, 3000)
    await first.close()
    multiply(folder, count)
    const product = await startProduct(folder)
    try {
      return await run(product)
    } finally {
      await product.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies the one server of a data folder until there are so many. */
function multiply(folder: string, count: number): void {
  const database = new Database(join(folder, 'quarterdeck.db'))
  try {
    const row = database.prepare('select * from servers').get() as Record<string, unknown>
    const names = Object.keys(row)
    const insert = database.prepare(
      `insert into servers (${names.join()}) values (${names.map((name) => `@${name}`).join()})`,
    )
    database.transaction(() => {
      for (let id = 2; id <= count; id++)
        insert.run({ ...row, id, uuid: `00000000-0000-4000-9000-${String(id).padStart(12, '0')}`, name: `copy ${id}` })
    })()
  } finally {
    database.close()
  }
}
