import { AppError, defined } from '@qd/core/errors'
import { extensionTask, taskType } from '@qd/protocol/task-types'
import type { Base } from '../base.ts'
import { type Hub, isOurs } from '../fleet/agents/hub.ts'
import type { LiveState } from '../fleet/live/live-store.ts'
import type { MutableAccounts } from '../store/records/accounts.ts'
import { type Also, createOrder } from '../store/records/commit.ts'
import type { ServerRow, UserRow } from '../store/records/rows.ts'
import type { OwnershipTransfers } from './ownership-transfers.ts'

/** Replaces users’ agent secrets without a new installation: agents get the next one over their connection. Source: docs/reference/agent-extensions.md. */
export type Rotations = ReturnType<typeof createRotations>

export function createRotations(
  { accounts, servers, log }: Pick<Base, 'servers' | 'log'> & { accounts: MutableAccounts },
  {
    hub,
    live,
    ownershipTransfers,
  }: { hub: Hub; live: LiveState; ownershipTransfers: Pick<OwnershipTransfers, 'ownerOf'> },
) {
  const inOrder = createOrder()

  function push(userId: number, serverId: number) {
    const type = isOurs(live.hostOf(serverId)) ? extensionTask.rotateSecret : taskType.applyTransfer
    const data = JSON.stringify({ client_secret: defined(accounts.find(userId)).agent_secret })
    hub.send(serverId, { id: 0, type: Number(type), data })
  }

  function note(userId: number, serverId: number, usesOld: boolean) {
    void inOrder(async () => {
      const waiting = accounts.find(userId)?.waiting_servers
      if (!waiting || waiting.includes(serverId) === usesOld) return
      await accounts.waiting(userId, usesOld ? [...waiting, serverId] : waiting.filter((id) => id !== serverId))
    }).catch((error: unknown) => log.error({ err: error }, 'failed to write the rotation of an agent secret'))
  }

  const rotating = () => accounts.all().filter(({ waiting_servers }) => waiting_servers !== null)

  hub.onOpened((serverId) => {
    for (const { id, waiting_servers } of rotating()) if (waiting_servers?.includes(serverId)) push(id, serverId)
  })
  servers.onChange(({ before, after }) => {
    if (before && !after) for (const { id } of rotating()) note(id, before.id, false)
  })

  return {
    begin: (userId: number, also?: Also<UserRow>) =>
      inOrder(async () => {
        if (accounts.find(userId)?.waiting_servers) throw new AppError('blocked', { reason: 'rotating' })
        const theirs = servers
          .all()
          .filter((row) => ownershipTransfers.ownerOf(row) === userId && row.secret_hash === '')
        const waiting = theirs.map(({ id }) => id).filter((id) => live.lastSeen(id) !== null || hub.connected(id))
        const secret = await accounts.rotateSecret(userId, waiting, also)
        for (const id of waiting) push(userId, id)
        return secret
      }),
    /** Ends the old secret now: agents that still use it are disconnected. */
    end: (userId: number, also?: Also<UserRow>): Promise<void> =>
      inOrder(async () => {
        const waiting = accounts.find(userId)?.waiting_servers ?? []
        await accounts.waiting(userId, [], also)
        for (const id of waiting) hub.disconnect(id, 'the agent secret was renewed')
      }),
    proved(server: ServerRow, secret: string): void {
      for (const { id, waiting_servers } of rotating()) {
        const usesOld = accounts.isFormerSecretOf(id, secret)
        if (usesOld || waiting_servers?.includes(server.id)) note(id, server.id, usesOld)
      }
    },
  }
}
