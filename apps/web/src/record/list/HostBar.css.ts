import { style } from '@vanilla-extract/css'
import { color, media } from '../../base/theme/rules.ts'

export const root = style({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 12px',
  padding: '0 16px 8px',
  color: color.muted,
  // The bars that it is among then have a padding.
  '@media': { [media.oneRow]: { flex: '1 0 100%', minWidth: 0, padding: 0 } },
})
export const field = style({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  width: 540,
  maxWidth: '100%',
  '@media': { [media.phone]: { width: '100%' } },
})
export const line = style({ overflowWrap: 'anywhere' })
export const tone = {
  muted: style({ color: color.muted }),
  accent: style({ color: color.muted }),
  ok: style({ color: color.muted }),
  warn: style({ color: color.warn }),
  bad: style({ color: color.bad }),
}
