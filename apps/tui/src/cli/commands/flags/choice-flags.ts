import type { ResourceName } from '@qd/core/define'
import type { Flag } from '../command.ts'

/** The flag that selects records with a query. */
export function selectFlag(of: ResourceName): Flag {
  return { flags: '--select <query>', help: 'ui.cli.flags.select', values: { kind: 'query', of } }
}

/** The flag that names records. */
export function idsFlag(of: ResourceName): Flag {
  return { flags: '--ids <list>', help: 'ui.cli.flags.ids', values: { kind: 'records', of, many: true } }
}

/** Flags that choose several records. */
export function selectFlags(of: ResourceName): readonly Flag[] {
  return [selectFlag(of), idsFlag(of), { flags: '--all', help: 'ui.cli.flags.all' }]
}

/** Flags that answer a confirm beforehand (behaviour C-18). */
export const confirmFlags: readonly Flag[] = [
  { flags: '-y, --yes', help: 'ui.cli.flags.yes' },
  { flags: '--confirm <words>', help: 'ui.cli.flags.confirm' },
]
