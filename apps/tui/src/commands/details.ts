import type { AnyRow, ResourceName } from '@qd/core/define'
import type { RunItem } from '@qd/core/resources'
import type { Cli } from './cli.ts'
import { printItems } from './run-items.ts'

/** Escape hatch: what `get` adds below a record that has more than its fields. */
export const details: Readonly<Partial<Record<ResourceName, (cli: Cli, row: AnyRow) => void>>> = {
  run: (cli, row) => printItems(cli, row.items as readonly RunItem[]),
}
