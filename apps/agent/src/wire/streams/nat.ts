import type { Connection, Machine } from '../../machine/machine.ts'
import { toReason } from '../rpc.ts'
import type { TaskHandler } from '../runner.ts'
import { attachRelay, parseStreamTask, type Relay, type RelayTiming } from './relay.ts'

async function toVisitor(target: Connection, relay: Relay): Promise<void> {
  for await (const bytes of target.messages) if (!relay.send(bytes)) await relay.drained()
}

async function toTarget(relay: Relay, target: Connection): Promise<void> {
  for await (const bytes of relay.messages) await target.write(bytes)
}

/** Task 9: relays a visitor’s connection. An unreachable target ends the stream. Unlike Nezha’s, this agent sends no "EOF" at the end (agent contract 7.2). */
export const createNatHandler =
  (machine: Machine, timing: RelayTiming): TaskHandler =>
  async (task, { openStream }) => {
    const relay = attachRelay(machine, openStream(), parseStreamTask(task.data), timing)
    const host = parseStreamTask(task.data, 'host')
    try {
      const target = await machine.openConnection(host)
      void relay.keepAlive()
      try {
        await Promise.race([toVisitor(target, relay), toTarget(relay, target)])
      } finally {
        target.close()
      }
    } catch (error) {
      machine.log(`connection to ${host} failed: ${toReason(error)}`)
    }
    await relay.end()
  }
