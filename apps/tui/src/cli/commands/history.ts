import { historyMetricNames } from '@qd/core/schemas'
import type { Command, Flag } from './command.ts'
import { selectFlags } from './flags/common-flags.ts'
import { resultFlags } from './flags/output-flags.ts'
import {
  eventFields,
  serverPointFields,
  servicePointFields,
  showServerEvents,
  showServerHistory,
  showServiceHistory,
} from './printing/show-history.ts'

const plainFlags: readonly Flag[] = [
  { flags: '--plain', help: 'ui.cli.flags.plain' },
  { flags: '--no-header', help: 'ui.cli.flags.noHeader' },
]

export const serverHistoryCommand: Command = {
  name: 'history',
  help: 'ui.cli.commands.serverHistory',
  args: '[names...]',
  values: { kind: 'records', of: 'server' },
  flags: [
    ...selectFlags('server'),
    {
      flags: '--metric <list>',
      help: 'ui.cli.flags.metric',
      values: { kind: 'words', words: () => historyMetricNames, many: true },
    },
    { flags: '--range <time>', help: 'ui.cli.flags.range' },
    { flags: '--points <n>', help: 'ui.cli.flags.points' },
    ...plainFlags,
    ...resultFlags(() => serverPointFields),
  ],
  examples: [
    'server history web-1',
    'server history web-1 web-2 --metric cpu,load5 --range 7d',
    "server history --select 'group:web' --metric memory",
    'server history web-1 --metric net_in_speed --range 1h --json at,mean',
  ],
  async run(cli, [given], flags) {
    return showServerHistory(cli, (given ?? []) as readonly string[], flags)
  },
}

export const serverEventsCommand: Command = {
  name: 'events',
  help: 'ui.cli.commands.serverEvents',
  args: '[name]',
  values: { kind: 'records', of: 'server' },
  flags: [{ flags: '--limit <n>', help: 'ui.cli.flags.limit' }, ...plainFlags, ...resultFlags(() => eventFields)],
  examples: ['server events web-1', 'server events web-1 --limit 5 --json at,kind'],
  async run(cli, [name], flags) {
    return showServerEvents(cli, name, flags)
  },
}

export const serviceHistoryCommand: Command = {
  name: 'history',
  help: 'ui.cli.commands.serviceHistory',
  args: '[name]',
  values: { kind: 'records', of: 'service' },
  flags: [
    { flags: '--range <1d|7d|30d>', help: 'ui.cli.flags.range' },
    ...plainFlags,
    ...resultFlags(() => servicePointFields),
  ],
  examples: ['service history shop', 'service history shop --range 7d --json server_name,at,delay'],
  async run(cli, [name], flags) {
    return showServiceHistory(cli, name, flags)
  },
}
