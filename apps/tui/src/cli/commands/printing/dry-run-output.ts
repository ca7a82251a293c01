import { type DryRun, describeCalls } from '@qd/core/actions'
import type { View } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import type { Targets } from '@qd/core/targets'
import { escapeJson } from '../../../base/output/json.ts'
import type { Cli } from '../command.ts'

export function namedTargets({ online, offline }: Pick<Targets, 'online' | 'offline'>, view: View) {
  const named = (ids: readonly number[]) => ids.map((id) => ({ id, name: view.title('server', id) ?? '' }))
  return { online: named(online), offline: named(offline) }
}

export function printDryRun(
  cli: Cli,
  dry: { api: Pick<DryRun, 'calls'>; notes: readonly string[]; json: boolean; targets?: unknown },
): void {
  const { api, notes, json, targets } = dry
  const calls = describeCalls(api)
  if (json) cli.json({ dry_run: true, calls, ...(targets === undefined ? {} : { targets }) })
  else {
    for (const { method, path, body } of calls)
      cli.print(
        [`${method} ${path}`, body === undefined ? '' : escapeJson(JSON.stringify(body))].filter(Boolean).join('   '),
      )
    for (const line of notes) cli.print(plainText(line))
  }
  cli.note(cli.translator.t('ui.cli.dryRun.nothing'))
}
