import type { Task } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import type { CommandOutcome } from '../support/peers/simulated-agent.ts'
import type { World } from '../support/world.ts'

/** The agent of the recordings of confirmed transfers, and that of an old release. */
const uuid = '44444444-4444-4444-8444-444444444444'

/** What agents that are not connected over TLS say of a new secret. */
export const refusedSecret: CommandOutcome = {
  data: 'ServerTransferApply rejected: rotated secret cannot be delivered over plaintext or InsecureTLS',
  successful: false,
}

/** An agent from before transfers. */
export async function connectOldAgent(world: World): Promise<void> {
  await world.agent({ uuid, host: { version: '1.17.0' } })
}

/** Secrets that agents over TLS were given. */
const issued = new Map<World, string>()

/** An agent of alice that takes a new secret. */
export async function connectSecureAgent(world: World): Promise<void> {
  const secret = world.server.container.accounts.byName('alice')!.agent_secret
  const onTask = ({ type, data }: Task): CommandOutcome | null => {
    if (type !== taskType.applyTransfer) return null
    issued.set(world, (JSON.parse(data) as { client_secret: string }).client_secret)
    return { data: '', successful: true }
  }
  await world.agent({ secret, uuid, onTask })
}

/** What happened to the agents just before a step. */
export async function enterTransfers(file: string, step: string, world: World): Promise<void> {
  if (file === 'transfers' && /^(owner restored|list at the end)/.test(step)) await transferIsOver(world, 3)
  if (file !== 'transfers-verified' || step !== 'list') return
  // It comes back with what it was given, which confirms the transfer.
  while (!issued.has(world)) await new Promise((resolve) => setImmediate(resolve))
  await world.agent({ secret: issued.get(world)!, uuid })
  await transferIsOver(world, 1)
}

async function transferIsOver(world: World, serverId: number): Promise<void> {
  const { transfers } = world.server.container
  while (transfers.ofServer(serverId).some(({ status }) => status === 0))
    await new Promise((resolve) => setImmediate(resolve))
}
