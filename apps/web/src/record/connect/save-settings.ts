import { setting } from '@qd/core/resources'
import { createForm } from '@qd/core/view'
import { notifyUnexpected } from '../../act/perform/perform.ts'
import { runner } from '../../base/state/runner.ts'
import { records, session, view } from '../../base/state/stores.ts'
import type { Texts } from '../../base/state/texts.ts'

/** Saves settings without their form. Returns success; failures are shown. */
export async function saveSettings(
  changes: Readonly<Record<string, unknown>>,
  translator: Texts['translator'],
): Promise<boolean> {
  const [known] = records.peekAll('setting')
  if (!known) return false
  const form = createForm({
    resource: setting,
    mode: 'edit',
    row: { ...known },
    view,
    viewer: session.viewer(),
    translator,
  })
  for (const [field, value] of Object.entries(changes)) form.set(field, value)
  const submitted = form.submit()
  const input = submitted.ok ? submitted.input : form.sent()
  const report = await runner.save({ resource: setting, mode: 'edit', base: form.base, input })
  if (report.kind === 'failed') notifyUnexpected(report.error)
  return report.kind !== 'failed'
}
