import { globalStyle, style } from '@vanilla-extract/css'
import { color, flexRow, inlineCentered, media, radius, sans, type } from '../base/theme/rules.ts'

export const keycap = style({
  ...inlineCentered,
  flex: 'none',
  minWidth: 18,
  height: 18,
  padding: '0 4px',
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.chip,
  background: color.surface,
  color: color.muted,
  font: `500 11px/16px ${sans}`,
  whiteSpace: 'nowrap',
})
export const keys = style({ display: 'inline-flex', gap: 2, flex: 'none' })

/** Phones show no keycaps until the first key press. */
globalStyle(`:root:not([data-keyboard]) ${keys}`, { '@media': { [media.phone]: { display: 'none' } } })

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
export const hints = style([
  type('small'),
  {
    ...flexRow(14),
    padding: '0 16px',
    borderTop: `1px solid ${color['line-strong']}`,
    background: color.canvas,
    color: color.muted,
    overflow: 'hidden',
    whiteSpace: 'nowrap',
    '@media': { [media.phone]: { display: 'none' } },
  },
])
