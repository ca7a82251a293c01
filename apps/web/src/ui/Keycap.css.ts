import { globalStyle, style } from '@vanilla-extract/css'
import { color, inlineCentered, media, radius, sans } from '../base/theme/rules.ts'

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
