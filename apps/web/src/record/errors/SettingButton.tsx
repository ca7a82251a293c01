import type { AppError } from '@qd/core/errors'
import { openSetting, settingLink } from '../../act/places/setting-link.ts'
import { Button } from '../../ui/Button.tsx'
import { row } from '../../ui/Page.css.ts'

export function SettingButton({ error }: { error: AppError }) {
  const { link } = settingLink(error)
  return (
    link && (
      <div className={row}>
        <Button size="small" icon="settings" onPress={() => void openSetting(link.to)}>
          {link.label}
        </Button>
      </div>
    )
  )
}
