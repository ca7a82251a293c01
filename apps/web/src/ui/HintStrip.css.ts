import { style } from '@vanilla-extract/css'
import { color, media } from '../base/theme/rules.ts'

/** A hint that doesn’t fit wraps to a hidden second line instead of being cut. */
export const hintList = style({
  display: 'flex',
  flexWrap: 'wrap',
  gap: '0 14px',
  flex: 1,
  minWidth: 0,
  height: 27,
  overflow: 'hidden',
})
export const hint = style({ display: 'inline-flex', alignItems: 'center', gap: 5, flex: 'none', height: 27 })
export const foot = style({ flex: 'none', color: color.faint, '@media': { [media.tight]: { display: 'none' } } })
