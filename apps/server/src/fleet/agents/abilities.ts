import { isCollectorName } from '@qd/protocol/collectors'
import { agentNews, logsAbility } from '@qd/protocol/task-types'
import { listOf } from '../../kernel/json.ts'
import { createListeners } from '../../kernel/listeners.ts'
import type { Hub } from './hub.ts'

/** What connected agents say that they can be asked for: collectors, and `logsAbility`. */
export interface Abilities {
  has(serverId: number, name: string): boolean
  /** A connected agent has told what it can be asked for. */
  onTold(listen: (serverId: number) => void): void
}

/** Only names that this server knows. */
const isKnown = (name: unknown): name is string => isCollectorName(name) || name === logsAbility
const longestNews = 4096

export function createAbilities(hub: Pick<Hub, 'onResult' | 'onLost'>): Abilities {
  const listeners = createListeners<[serverId: number]>()
  const told = new Map<number, ReadonlySet<string>>()
  hub.onResult((serverId, { type, data }) => {
    // Once per connection: a host can’t have itself read more often.
    if (type !== agentNews.collectors || told.has(serverId)) return
    told.set(serverId, new Set(data.length <= longestNews ? listOf<unknown>(data).filter(isKnown) : []))
    listeners.notify(serverId)
  })
  hub.onLost((serverId) => told.delete(serverId))
  return { has: (serverId, name) => told.get(serverId)?.has(name) ?? false, onTold: listeners.add }
}
