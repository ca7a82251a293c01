import { AppError } from '@qd/core/errors'
import type { AgentHub } from '../../fleet/agents/hub.ts'
import type { Streams } from '../../fleet/streams/streams.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { ownsServer } from '../../store/records/rights.ts'
import type { ServerRecords } from '../../store/records/rows.ts'

/**
 * Opens a shell's stream: the user's end is `/ws/terminal/{session_id}`. Somebody else's server answers as an unknown one, and
 * that before its state is looked at. Errors: `notFound`, `blocked`. Source: contract http-api 3.8 and 11.
 */
export function createShell(parts: { servers: ServerRecords; agents: AgentHub; streams: Streams }) {
  const { servers, agents, streams } = parts
  return async (caller: Caller, body: unknown) => {
    const { server_id: id } = (body ?? {}) as { server_id?: unknown }
    const row = servers.find(readServerId(id))
    if (!row || !ownsServer(caller.viewer, row)) {
      throw new AppError('notFound', { resource: 'server', id: Number(id ?? 0), text: texts.notConnected })
    }
    if (!agents.connected(row.id)) throw new AppError('blocked', { reason: 'notConnected', text: texts.notConnected })
    const session_id = streams.create({ caller, serverId: row.id, purpose: 'terminal' })
    return { session_id, server_id: row.id, server_name: row.name }
  }
}

/** Absent is no server at all. Errors: `invalid`. */
function readServerId(id: unknown = 0): number {
  if (Number.isSafeInteger(id)) return id as number
  throw new AppError('invalid', {}, { problems: [{ field: 'server_id', code: 'notId' }] })
}
