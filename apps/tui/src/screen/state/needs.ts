import type { Resource } from '@qd/core/define'
import type { Records } from '@qd/core/store'

/** Loads the lists that were not asked for yet, so that their records can be found. */
export function loadAll(records: Records, resources: readonly Resource[]): void {
  for (const { name, wire } of resources) {
    if (wire.shape === 'many' && records.list$(name).peek().status === 'empty') void records.load(name)
  }
}
