import type { Viewer } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { server, serverGroup } from '@qd/core/resources'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { readArgs, readIds } from '../../store/records/input.ts'
import type { MutableRecords } from '../../store/records/records.ts'
import { checkReferences } from '../../store/records/references.ts'
import { owns, ownsServer, reachesWithin } from '../../store/records/rights.ts'
import type { ServerGroupRow } from '../../store/records/rows.ts'
import type { Container } from '../container.ts'
import type { Surroundings } from './store.ts'

/**
 * `POST /batch-group/server {ids, add, remove}`: puts servers into groups and takes them out of others. Each group is changed as it is when its
 * turn comes, so that nobody's change is lost; nothing is changed where one server or group is not the caller's. Errors: `invalid`.
 */
export function createRegroup({ kept }: Pick<Container, 'kept'>, around: Surroundings) {
  const groups = kept.find(({ resource }) => resource === serverGroup)!
    .records as unknown as MutableRecords<ServerGroupRow>
  const mayChange = (viewer: Viewer, id: number) => {
    const row = groups.find(id)
    if (!row || !owns(viewer, row)) return false
    return reachesWithin(viewer, { reach: { mode: 'only', servers: row.servers }, owner: row.owner_id }, around)
  }
  return async ({ viewer }: Caller, body: unknown): Promise<null> => {
    const { ids: named, ...rest } = (body ?? {}) as { readonly ids?: unknown }
    const ids = [...new Set(readIds(named))]
    const { add, remove } = readArgs(server.actions.groups!, rest) as { add: number[]; remove: number[] }
    const foreign = ids.filter((id) => {
      const row = around.servers.find(id)
      return !row || !ownsServer(viewer, row)
    })
    const problems = Object.entries({ ids: foreign, add: alien(add), remove: alien(remove) }).flatMap(([field, bad]) =>
      bad.length > 0 ? [{ field, code: 'unknownReference' as const, params: { ids: bad } }] : [],
    )
    if (problems.length > 0) throw new AppError('invalid', { text: texts.permission }, { problems })
    for (const id of add) {
      const owner = groups.find(id)!.owner_id
      checkReferences(serverGroup, { input: { servers: ids }, owner, viewer, texts: {} }, around)
    }
    for (const id of new Set(add)) {
      await groups.update(id, (row) => ({ ...row, servers: [...new Set([...row.servers, ...ids])] }))
    }
    for (const id of new Set(remove)) {
      await groups.update(id, (row) => ({ ...row, servers: row.servers.filter((one) => !ids.includes(one)) }))
    }
    return null

    function alien(some: readonly number[]) {
      return some.filter((id) => !mayChange(viewer, id))
    }
  }
}
