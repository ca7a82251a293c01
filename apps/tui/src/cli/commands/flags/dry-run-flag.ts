import type { Flag } from '../command.ts'

/** Flag of every command that changes something. */
export const dryRunFlag: Flag = { flags: '--dry-run', help: 'ui.cli.flags.dryRun' }
