import { allowed, fieldKey } from '@qd/core/define'
import type { AppError } from '@qd/core/errors'
import { setting, settingFor } from '@qd/core/resources'
import { leaveForm } from '../../base/state/form-leaving.ts'
import type { Notice } from '../../base/state/overlays.ts'
import { session } from '../../base/state/stores.ts'
import { texts } from '../../base/state/texts.ts'
import { navigate } from './navigate.ts'

export const settingPath = (field: string): string => `${setting.path}#${field}`

/** The way to the setting that solves a failure, for those who may change it. */
export function settingLink(error: AppError): Pick<Notice, 'link'> {
  const field = settingFor(error)
  if (field === null || !allowed(session.viewer(), setting.actions.edit!)) return {}
  const { t, say } = texts()
  return { link: { label: t('ui.first.setting', { name: say(fieldKey(setting, field)) }), to: settingPath(field) } }
}

/** Opens a setting from within a form or dialog, which closes. A form with changes asks first. */
export async function openSetting(path: string): Promise<void> {
  if (await leaveForm()) navigate(path)
}
