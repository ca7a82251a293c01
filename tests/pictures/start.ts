import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Host } from '@qd/protocol/agent'
import Database from 'better-sqlite3'
import { type Product, secret, startProduct } from '../bench/product.ts'
import { connectPeer, credentials } from '../support/peers/h2-peer.ts'
import { names, uuidOf } from './machines.ts'
import { writeFleetPast } from './monitors.ts'

const days = 30
const dayMs = 86_400_000

/** Starts the product on a folder as if its servers had been there for a month. */
export async function startWithPast(folder: string): Promise<Product> {
  const first = await startProduct(folder)
  for (const index of names.keys()) await enrol(first.port, uuidOf(index))
  await first.close()
  const database = new Database(join(folder, 'quarterdeck.db'))
  database.prepare('update servers set created_at = created_at - ?').run(days * dayMs)
  database.close()
  const file = join(folder, 'history.db')
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  await writeFleetPast(file, days)
  return startProduct(folder)
}

/** A server whose agent told its machine once and never a figure. */
async function enrol(port: number, uuid: string): Promise<void> {
  const peer = await connectPeer({ port })
  const call = peer.open('ReportSystemInfo2', credentials(secret, uuid))
  call.send(Host.encode(Host.fromPartial({ version: '' })).finish())
  call.halfClose()
  await call.take((event) => event.event === 'message' || event.event === 'trailers')
  peer.destroy()
}
