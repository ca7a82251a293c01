import type { Db } from '../db/schema.ts'
import type { StoredRow } from '../rows.ts'
import { derivedText, keptSecret, randomText } from '../secrets.ts'
import type { Clock, Random } from '../services.ts'
import { createRecords, type MutableRecords } from './records.ts'
import { tableOf } from './table.ts'

/** A move of a server to another owner as stored; `owner_id` is who began it. Status as core's `TransferStatus`. */
export interface TransferRow extends StoredRow {
  readonly server_id: number
  readonly from_user_id: number
  readonly to_user_id: number
  readonly status: number
  readonly last_error: string
  readonly acked_at: number | null
  /** When the agent first used the secret that it got after a transfer that came to nothing. */
  readonly recovered_at: number | null
}

/** `apply`: the credential of the move itself; `recovery`: the one an agent gets when the move came to nothing. */
export type TransferSecret = 'apply' | 'recovery'

/** Transfers, newest first, with the credentials made for each. */
export interface TransferRecords extends MutableRecords<TransferRow> {
  /** 32 letters and digits, made from a key of the server's own each time: none is stored. */
  secretOf(id: number, kind: TransferSecret): string
  ofServer(serverId: number): readonly TransferRow[]
}

const secretLength = 32

/** Loads all transfers. */
export async function createTransfers(parts: { db: Db; clock: Clock; random: Random }): Promise<TransferRecords> {
  const key = await keptSecret(parts.db, 'transfer-key', () => randomText(parts.random, 64))
  const records = await createRecords<TransferRow>({
    ...parts,
    persist: tableOf<TransferRow>('transfers', { flags: [], json: {} }),
    compare: (a, b) => b.id - a.id,
  })
  return {
    ...records,
    secretOf: (id, kind) => derivedText(key, `${kind} ${id}`, secretLength),
    ofServer: (serverId) => records.all().filter((row) => row.server_id === serverId),
  }
}
