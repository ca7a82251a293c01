import { service } from '@qd/core/resources'
import { resolveTargets } from '@qd/core/targets'
import type { Base } from '../../base.ts'
import type { ServiceRow } from '../../store/records/rows.ts'

/** Which servers each monitor reaches: what its form said, resolved for its owner now. Answers are kept until servers or users change. */
export function createCoverage({ servers, accounts }: Pick<Base, 'servers' | 'accounts'>) {
  let fleet = 0
  const kept = new WeakMap<ServiceRow, { version: string; ids: ReadonlySet<number> }>()
  servers.onChange(({ before, after }) => {
    if (before?.owner_id !== after?.owner_id) fleet += 1
  })
  return (row: ServiceRow): ReadonlySet<number> => {
    const version = `${fleet}.${accounts.version()}`
    const known = kept.get(row)
    if (known?.version === version) return known.ids
    const targets = resolveTargets({
      reach: service.reach!({ ...row }),
      owner: accounts.ownerOf(row.owner_id),
      servers: servers.all().map(({ id, owner_id }) => ({ id, owner: owner_id, online: true })),
    })
    const ids = new Set(targets.ids)
    kept.set(row, { version, ids })
    return ids
  }
}
