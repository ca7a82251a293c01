import { useTexts } from '../../base/state/texts.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import type { OpenRowMenu } from './RowMenu.tsx'
import * as css from './RowMenuButton.css.ts'

export function RowMenuButton({
  id,
  always = false,
  onMenu,
}: {
  id: number
  always?: boolean
  onMenu: (menu: OpenRowMenu) => void
}) {
  const { t } = useTexts()
  return (
    <RowButton
      className={always ? css.always : css.button}
      aria-haspopup="menu"
      aria-label={t('ui.keys.rowActions')}
      title={t('ui.keys.rowActions')}
      onPress={(button) => {
        const { right, bottom } = button.getBoundingClientRect()
        onMenu({ id, at: { x: right, y: bottom, isEnd: true } })
      }}
    >
      <Icon name="ellipsis" size={14} />
    </RowButton>
  )
}
