import { useTexts } from '../state/texts.ts'
import { Icon } from '../ui/drawings/Icon.tsx'
import type { OpenRowMenu } from './RowMenu.tsx'
import * as css from './RowMenuButton.css.ts'

/** Opens the menu of a row. A plain button: one of react-aria's costs a third of a millisecond per row, and the row itself takes presses. */
export function RowMenuButton({
  id,
  always = false,
  onMenu,
}: {
  id: number
  /** Shown without a pointer over the row too, where there is none. */
  always?: boolean
  onMenu: (menu: OpenRowMenu) => void
}) {
  const { t } = useTexts()
  return (
    <button
      type="button"
      tabIndex={-1}
      className={always ? css.always : css.button}
      aria-haspopup="menu"
      aria-label={t('ui.keys.rowActions')}
      title={t('ui.keys.rowActions')}
      onPointerDown={(event) => event.stopPropagation()}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => {
        event.stopPropagation()
        const { right, bottom } = event.currentTarget.getBoundingClientRect()
        onMenu({ id, at: { x: right, y: bottom, isEnd: true } })
      }}
    >
      <Icon name="ellipsis" size={14} />
    </button>
  )
}
