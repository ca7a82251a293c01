import { collectors } from '@qd/protocol/collectors'
import { agentNews, logsAbility } from '@qd/protocol/task-types'
import type { Hub } from './hub.ts'

/** What connected agents say that they can be asked for: collectors, and `logsAbility`. */
export interface Abilities {
  has(serverId: number, name: string): boolean
}

const known = [...Object.keys(collectors), logsAbility]
const longestNews = 4096

export function createAbilities(hub: Pick<Hub, 'onResult' | 'onLost'>): Abilities {
  const told = new Map<number, ReadonlySet<string>>()
  hub.onResult((serverId, { type, data }) => {
    if (type === agentNews.collectors) told.set(serverId, parse(data))
  })
  hub.onLost((serverId) => told.delete(serverId))
  return { has: (serverId, name) => told.get(serverId)?.has(name) ?? false }
}

/** Only names that this server knows. */
function parse(data: string): ReadonlySet<string> {
  try {
    const names = data.length <= longestNews ? (JSON.parse(data) as unknown) : []
    return new Set(known.filter((name) => Array.isArray(names) && names.includes(name)))
  } catch {
    return new Set()
  }
}
