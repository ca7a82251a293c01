import { TransferStatus } from '@qd/core/resources'
import { inEnglish } from '@qd/protocol/refusals'
import { taskType } from '@qd/protocol/task-types'
import type { Base } from '../base.ts'
import { cleanLine } from '../fleet/agents/clean-text.ts'
import type { Hub } from '../fleet/agents/hub.ts'
import type { LiveState } from '../fleet/live/live-store.ts'
import { texts } from '../kernel/texts.ts'
import { sameText } from '../store/records/accounts.ts'
import { type Also, commit, type Step } from '../store/records/commit.ts'
import type { ServerRow, TransferRow, TransferSecret } from '../store/records/rows.ts'

/** Moves of servers to other owners. Source: contract engines 11.6, agent contract 3.9. */
export type OwnershipTransfers = ReturnType<typeof createTransferEngine>

/** How long an agent has to prove itself, and how long the secrets of a transfer that came to nothing are honoured. */
const lifeMs = 24 * 3_600_000
const sweepMs = 30_000
const maxErrorLength = 1000

export function createTransferEngine(base: Base, { hub, live }: { hub: Hub; live: LiveState }) {
  const { clock, db, log, servers, transfers } = base
  /** Servers whose agent came with the secret of a transfer that came to nothing: it needs one that stays good. */
  const stranded = new Map<number, number>()
  let cancelTimer = () => {}

  const failed = (error: unknown) => log.error({ err: error }, 'failed to write transfer')
  const pendingOf = (serverId: number) => transfers.ofServer(serverId).find(isPending)

  function push({ id, server_id }: Pick<TransferRow, 'id' | 'server_id'>, kind: TransferSecret) {
    const data = JSON.stringify({ client_secret: transfers.secretOf(id, kind) })
    hub.send(server_id, { id, type: Number(taskType.applyTransfer), data })
  }

  const finishing = (id: number, end: Pick<TransferRow, 'status'> & Partial<TransferRow>): Step<TransferRow> =>
    transfers.updating(
      () => [transfers.find(id)].flatMap((row) => (row && isPending(row) ? [id] : [])),
      (row) => ({ ...row, ...end }),
    )

  /** False if it has ended before. */
  const finish = async (...end: Parameters<typeof finishing>) => (await commit(db, [finishing(...end)])).length > 0

  async function revert(
    { id, server_id, from_user_id }: TransferRow,
    status: number,
    { error = '', also }: { error?: string; also?: Also<TransferRow> } = {},
  ): Promise<void> {
    const end = finishing(id, { status, last_error: cleanLine(error, maxErrorLength) })
    const ended = await commit(db, [end, servers.giving(() => [server_id], from_user_id)], also)
    if (ended.length > 0 && servers.find(server_id)) push({ id, server_id }, 'recovery')
  }

  function accepts(server: ServerRow, secret: string): boolean {
    for (const row of transfers.ofServer(server.id)) {
      const is = (kind: TransferSecret) => sameText(secret, transfers.secretOf(row.id, kind))
      if (isPending(row)) {
        if (!is('apply')) continue
        void finish(row.id, { status: TransferStatus.verified, acked_at: clock.now() }).catch(failed)
        return true
      }
      // The agent uses the new secret since then, so secrets of older transfers are no longer valid.
      if (row.status === TransferStatus.verified) return is('apply')
      if (row.recovered_at !== null) return is('recovery')
      if (clock.now() - row.updated_at > lifeMs) continue
      if (is('recovery')) {
        void transfers.patch(row.id, { recovered_at: clock.now() }).catch(failed)
        return true
      }
      if (is('apply')) {
        stranded.set(server.id, row.id)
        return true
      }
    }
    return false
  }

  hub.onResult((serverId, result) => {
    if (result.type !== taskType.applyTransfer || result.successful) return
    const row = transfers.find(Number(result.id))
    if (row?.server_id !== serverId) return
    void revert(row, TransferStatus.failed, { error: inEnglish(result.data) }).catch(failed)
  })
  hub.onOpened((serverId) => {
    const row = pendingOf(serverId)
    const lost = stranded.get(serverId)
    stranded.delete(serverId)
    if (row && isTooOld(serverId)) void revert(row, TransferStatus.failed, { error: texts.agentTooOld }).catch(failed)
    else if (row) push(row, 'apply')
    else if (lost !== undefined) push({ id: lost, server_id: serverId }, 'recovery')
  })
  servers.onChange(({ before, after }) => {
    const row = before && !after ? pendingOf(before.id) : undefined
    const end = { status: TransferStatus.cancelled, last_error: 'server deleted' }
    if (row) void finish(row.id, end).catch(failed)
  })

  /** Agents without a version, or with one of ours (below 1), pass. */
  function isTooOld(serverId: number): boolean {
    const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(live.hostOf(serverId).version ?? '') ?? []
    return Number(major) === 1 && Number(minor) < 18
  }

  async function sweep() {
    const expired = transfers.all().filter((row) => isPending(row) && clock.now() - row.created_at >= lifeMs)
    for (const row of expired) await revert(row, TransferStatus.timeout)
  }
  const tick = () => {
    void sweep().catch(failed)
    cancelTimer = clock.after(sweepMs, tick)
  }

  return {
    /** True if the secret is one of a transfer of this server; using it may finish the transfer. */
    accepts,
    /** Whose agent secret the server's agent may use: the former owner's until the transfer is confirmed. */
    ownerOf: (server: ServerRow) => pendingOf(server.id)?.from_user_id ?? server.owner_id,
    /** Why the server cannot be moved to this user now; null if it can. */
    obstacle(server: ServerRow, toUserId: number): 'same_owner' | 'already_transferring' | 'agent_too_old' | null {
      if (server.owner_id === toUserId) return 'same_owner'
      if (pendingOf(server.id)) return 'already_transferring'
      return isTooOld(server.id) ? 'agent_too_old' : null
    },
    /** Moves what nothing else has moved meanwhile. `also` runs in the transaction of all moves. */
    async begin(
      ids: readonly number[],
      { toUserId, by }: { toUserId: number; by: number },
      also?: Also<TransferRow>,
    ): Promise<readonly TransferRow[]> {
      let moved: readonly ServerRow[] = []
      const inserting = transfers.inserting(() => {
        const found = [...new Set(ids)].flatMap((id) => servers.find(id) ?? [])
        moved = found.filter((row) => row.owner_id !== toUserId && !pendingOf(row.id))
        return moved.map(({ id, owner_id: from }) => ({
          ...fresh,
          ...{ server_id: id, from_user_id: from, to_user_id: toUserId, owner_id: by },
        }))
      })
      const giving = servers.giving(() => moved.map(({ id }) => id), toUserId)
      const begun = await commit(db, [inserting, giving], also)
      for (const row of begun) push(row, 'apply')
      return begun
    },
    async cancel(row: TransferRow, also?: Also<TransferRow>): Promise<TransferRow | undefined> {
      await revert(row, TransferStatus.cancelled, also && { also })
      return transfers.find(row.id)
    },
    /** A user is about to be deleted: what is on its way to them goes back (quirk Q26), what was theirs stays where it is going. */
    async userDeleted(userId: number): Promise<void> {
      const rows = transfers
        .all()
        .filter((row) => isPending(row) && [row.from_user_id, row.to_user_id].includes(userId))
      for (const row of rows) {
        const { id, server_id, to_user_id } = row
        const end = { status: TransferStatus.cancelled, last_error: 'user deleted' }
        if (to_user_id === userId) await revert(row, end.status, { error: end.last_error })
        // The server stays with its present owner. The secret that its agent knows is deleted with the previous owner.
        else if (await finish(id, end)) push({ id, server_id }, 'recovery')
      }
    },
    engine: {
      name: 'transfers',
      async start() {
        tick()
      },
      async stop() {
        cancelTimer()
      },
    },
  }
}

const fresh = { status: TransferStatus.pending, last_error: '', acked_at: null, recovered_at: null }

const isPending = ({ status }: TransferRow) => status === TransferStatus.pending
