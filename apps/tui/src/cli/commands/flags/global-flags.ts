import { languages } from '@qd/core/i18n'
import type { Flag } from '../command.ts'

/** Flags that every command takes, before and after its words. */
export const globalFlags: readonly Flag[] = [
  { flags: '--profile <name>', help: 'ui.cli.flags.profile', values: { kind: 'profiles' } },
  { flags: '--endpoint <address>', help: 'ui.cli.flags.url' },
  // The earlier name of --endpoint.
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
