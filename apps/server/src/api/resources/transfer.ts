import { type Action, Role } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { transfer } from '@qd/core/resources'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import type { Note } from '../../store/records/audit.ts'
import { demandFor, demandRight } from '../../store/records/rights.ts'
import type { TransferRow } from '../../store/records/rows.ts'
import { derivedText, keptSecret, randomText } from '../../store/records/secrets.ts'
import { seesTransfer, type TransferRecords, transferItem } from '../../store/records/transfers.ts'
import type { Container } from '../container.ts'
import { defineEntity, type Entity, newestFirst } from './entity.ts'
import { filterById, noRoutes, type ResourceStore, refuseBlocked, type Surroundings } from './store.ts'

const secretLength = 32

export const transfers: Entity<'transfer', TransferRow, TransferRecords> = defineEntity<
  'transfer',
  TransferRow,
  TransferRecords
>(transfer, {
  table: 'transfers',
  compare: newestFirst,
  async extend(records, { db, random }) {
    const key = await keptSecret(db, 'transfer-key', () => randomText(random, 64))
    return {
      ...records,
      secretOf: (id, kind) => derivedText(key, `${kind} ${id}`, secretLength),
      ofServer: (serverId) => records.all().filter((row) => row.server_id === serverId),
    }
  },
  concerned: (row) => [row.owner_id, row.from_user_id, row.to_user_id],
  serve: createTransferStore,
})

function createTransferStore(
  { ownershipTransfers: transfers }: Pick<Container, 'ownershipTransfers'>,
  around: Surroundings,
  records: TransferRecords,
): ResourceStore {
  const { accounts, settings, servers, clock } = around
  function seen({ viewer }: Caller, id: number): TransferRow {
    const row = records.find(id)
    if (row && seesTransfer(viewer, row)) return row
    throw new AppError('notFound', { resource: 'transfer', id })
  }

  async function retry(row: TransferRow, by: number, note?: Note): Promise<TransferRow> {
    const refuse = (reason: string, text: string) => new AppError('blocked', { reason, text })
    const server = servers.find(row.server_id)
    if (!accounts.find(row.to_user_id)) throw refuse('gone', `target user ${row.to_user_id} not found`)
    if (!server) throw refuse('gone', texts.server)
    const obstacle = transfers.obstacle(server, row.to_user_id)
    if (obstacle) throw refuse(obstacle, obstacles[obstacle])
    const [begun] = await transfers.begin([server.id], { toUserId: row.to_user_id, by }, (db) => note?.(db))
    if (!begun) throw refuse('already_transferring', obstacles.already_transferring)
    return begun
  }

  return {
    ...noRoutes,
    resource: transfer,
    version: () => [records, accounts, settings, servers].map((source) => source.version()).join('.'),
    async list({ viewer }, query) {
      demandRight(settings, viewer, transfer, 'read')
      const rows = filterById(
        records.all().filter((row) => seesTransfer(viewer, row)),
        query.get('id'),
      )
      return rows.length === 0 ? null : JSON.stringify(rows.map((row) => transferItem(row, around)))
    },
    async act(caller, action: Action, id, _body, note) {
      const { viewer } = caller
      demandFor(settings, viewer, transfer, action)
      const row = seen(caller, id)
      if (action.name === 'cancel') {
        if (viewer.role !== Role.admin && row.from_user_id !== viewer.id) throw new AppError('forbidden')
        return transferItem((await transfers.cancel(row, (db) => note?.(db))) ?? row, around)
      }
      refuseBlocked(action, { resource: transfer, record: transferItem(row, around), now: clock.now() })
      return transferItem(await retry(row, viewer.id as number, note), around)
    },
  }
}

/** The contract's words. */
export const obstacles = {
  same_owner: 'server already belongs to the target user',
  already_transferring: 'server already has an in-flight transfer',
  agent_too_old: texts.agentTooOld,
}
