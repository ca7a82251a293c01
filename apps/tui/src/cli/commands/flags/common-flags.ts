import type { Resource, ResourceName } from '@qd/core/define'
import { languages } from '@qd/core/i18n'
import type { Flag } from '../command.ts'

export const globalFlags: readonly Flag[] = [
  { flags: '--profile <name>', help: 'ui.cli.flags.profile', values: { kind: 'profiles' } },
  { flags: '--endpoint <address>', help: 'ui.cli.flags.url' },
  { flags: '--url <address>', help: 'ui.cli.flags.url', hidden: true },
  { flags: '--user <name>', help: 'ui.cli.flags.user' },
  { flags: '--password-file <file>', help: 'ui.cli.flags.passwordFile' },
  { flags: '--token-file <file>', help: 'ui.cli.flags.tokenFile' },
  { flags: '--retries <n>', help: 'ui.cli.flags.retries' },
  { flags: '--lang <language>', help: 'ui.cli.flags.lang', values: { kind: 'words', words: () => languages } },
  { flags: '-q, --quiet', help: 'ui.cli.flags.quiet' },
  { flags: '-v, --verbose', help: 'ui.cli.flags.verbose' },
  { flags: '--no-input', help: 'ui.cli.flags.noInput' },
  { flags: '--no-color', help: 'ui.cli.flags.noColor' },
  { flags: '--ascii', help: 'ui.cli.flags.ascii' },
]

export function selectFlag(of: ResourceName): Flag {
  return { flags: '--select <query>', help: 'ui.cli.flags.select', values: { kind: 'query', of } }
}

export function idsFlag(of: ResourceName): Flag {
  return { flags: '--ids <list>', help: 'ui.cli.flags.ids', values: { kind: 'records', of, many: true } }
}

export function selectFlags(of: ResourceName): readonly Flag[] {
  return [selectFlag(of), idsFlag(of), { flags: '--all', help: 'ui.cli.flags.all' }]
}

/** The flag that says on which servers records of hosts are read; none for others. */
export function hostFlags({ host }: Resource): readonly Flag[] {
  return host ? [{ flags: '--on <query>', help: 'ui.cli.flags.on', values: { kind: 'query', of: 'server' } }] : []
}

/** Answers to a confirmation (behaviour C-18). */
export const confirmFlags: readonly Flag[] = [
  { flags: '-y, --yes', help: 'ui.cli.flags.yes' },
  { flags: '--confirm <words>', help: 'ui.cli.flags.confirm' },
]

export const dryRunFlag: Flag = { flags: '--dry-run', help: 'ui.cli.flags.dryRun' }
