import { RowButton } from '../ui/RowButton.tsx'
import type { OpenRowMenu } from './RowMenu.tsx'
import * as css from './RowMenuButton.css.ts'

/** Lucide's ellipsis in one line, which each row of a list draws. */
const dots = (
  <svg width="14" height="14" viewBox="0 0 24 24" stroke="currentColor" aria-hidden="true" style={{ flex: 'none' }}>
    <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="4" strokeLinecap="round" />
  </svg>
)

/** Opens the menu of a row. */
export function RowMenuButton({
  id,
  label,
  always = false,
  onMenu,
}: {
  id: number
  label: string
  /** Shown without a pointer over the row too, where there is none. */
  always?: boolean
  onMenu: (menu: OpenRowMenu) => void
}) {
  return (
    <RowButton
      className={always ? css.always : css.button}
      aria-haspopup="menu"
      aria-label={label}
      title={label}
      onPress={(button) => {
        const { right, bottom } = button.getBoundingClientRect()
        onMenu({ id, at: { x: right, y: bottom, isEnd: true } })
      }}
    >
      {dots}
    </RowButton>
  )
}
