import { expect, test } from 'vitest'
import type { ServerEvent } from '../events/event-tracker.ts'
import { type AgentConnection, createDuplicateAgents } from './duplicate-agents.ts'

function world() {
  let now = 0
  const told: ServerEvent[] = []
  const duplicateAgents = createDuplicateAgents(
    { clock: { now: () => now, after: () => () => {} } },
    { record: (event) => told.push(event) },
  )
  let ports = 0
  return {
    told,
    wait: (seconds: number) => {
      now += seconds * 1000
    },
    /** An agent that connects; it reports for so many samples, one each 3 s. Null if it is not let in. */
    connect(address: string, samples = 3): AgentConnection | null {
      const connection = { address, peer: `${address}:${ports++}` }
      if (duplicateAgents.refuses(1, connection)) return null
      duplicateAgents.opened(1, connection)
      for (let count = 0; count < samples; count += 1) {
        now += 3000
        duplicateAgents.reported(1, connection)
      }
      return connection
    },
    leave: (connection: AgentConnection) => duplicateAgents.closed(1, connection),
    report: (connection: AgentConnection) => duplicateAgents.reported(1, connection),
  }
}

test('R-19 two agents that push each other out: one stays, and one event names both addresses', () => {
  const { connect, told, report, wait } = world()
  for (let count = 0; count < 2; count += 1) {
    expect(connect('192.0.2.1')).not.toBeNull()
    expect(connect('192.0.2.2')).not.toBeNull()
  }
  for (let count = 0; count < 20; count += 1) expect(connect('192.0.2.1')).toBeNull()
  expect(told).toEqual([{ serverId: 1, kind: 'two-agents', params: { before: '192.0.2.2', after: '192.0.2.1' } }])
  wait(11)
  // Who stayed has fallen silent: the other may speak.
  const other = connect('192.0.2.1')
  expect(other).not.toBeNull()
  report(other!)
  expect(told).toHaveLength(1)
})

test('an agent that comes back, however often, is no second one', () => {
  const { connect, told, leave, wait } = world()
  for (let count = 0; count < 20; count += 1) {
    const connection = connect('192.0.2.1')
    expect(connection).not.toBeNull()
    if (count % 2) leave(connection!)
    else wait(15)
  }
  expect(told).toEqual([])
})

test('a storm of connections that say one thing each lets the newest in', () => {
  const { connect, told } = world()
  for (let count = 0; count < 40; count += 1) expect(connect('192.0.2.1', 1)).not.toBeNull()
  expect(told).toEqual([])
})
