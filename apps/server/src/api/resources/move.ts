import { Role } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import type { Transfers } from '../../act/transfers.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { readIds } from '../../store/records/input.ts'
import { ownsServer } from '../../store/records/rights.ts'
import type { Surroundings } from './store.ts'
import { obstacles } from './transfer.ts'

/** The outcome for one server of a move (contract http-api 3.6). */
interface MoveResult {
  server_id: number
  status: 'pending' | 'server_not_found' | keyof typeof obstacles
  transfer_id?: number
  error?: string
}

/** `POST /batch-move/server {ids, to_user}`: each server is moved by itself. A member can only name itself, so moves nothing. */
export function createMove({ moves }: { moves: Transfers }, { servers, accounts }: Surroundings) {
  return async ({ viewer }: Caller, body: unknown): Promise<MoveResult[]> => {
    const { ids, to_user: toUserId } = (body ?? {}) as { ids?: unknown; to_user?: unknown }
    if (typeof toUserId !== 'number' || toUserId === 0) throw new AppError('invalid', { text: texts.userRequired })
    if (viewer.role !== Role.admin && toUserId !== viewer.id) throw new AppError('forbidden')
    if (!accounts.find(toUserId)) throw new AppError('notFound', { resource: 'user', id: toUserId })
    const results: MoveResult[] = []
    for (const id of readIds(ids)) {
      const row = servers.find(id)
      const obstacle = row && ownsServer(viewer, row) ? moves.obstacle(row, toUserId) : 'server_not_found'
      if (obstacle || !row) {
        const error = obstacle === 'agent_too_old' ? { error: obstacles[obstacle] } : {}
        results.push({ server_id: id, status: obstacle ?? 'server_not_found', ...error })
        continue
      }
      const { id: transfer_id } = await moves.begin(row, { toUserId, by: viewer.id as number })
      results.push({ server_id: id, status: 'pending', transfer_id })
    }
    return results
  }
}
