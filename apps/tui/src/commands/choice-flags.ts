import type { Flag } from './command.ts'

/** Flags that choose several records. */
export const selectFlags: readonly Flag[] = [
  { flags: '--select <selection>', help: 'ui.cli.flags.select' },
  { flags: '--ids <list>', help: 'ui.cli.flags.ids' },
  { flags: '--all', help: 'ui.cli.flags.all' },
]

/** Flags that answer a confirm beforehand (behaviour C-18). */
export const confirmFlags: readonly Flag[] = [
  { flags: '-y, --yes', help: 'ui.cli.flags.yes' },
  { flags: '--confirm <words>', help: 'ui.cli.flags.confirm' },
]
