import { style } from '@vanilla-extract/css'
import { color, media } from '../../base/theme/rules.ts'

export const card = style({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  flex: 'none',
  padding: '6px 16px',
  borderBottom: `1px solid ${color.line}`,
  background: color.sunken,
  '@media': { [media.phone]: { flexWrap: 'wrap' } },
})
export const count = style({
  color: color.muted,
  whiteSpace: 'nowrap',
  '@media': { [media.phone]: { flex: 1 } },
})
export const steps = style({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '4px 8px',
  flex: 1,
  minWidth: 0,
  '@media': { [media.phone]: { order: 1, flexBasis: '100%' } },
})
export const done = style({ display: 'inline-flex', alignItems: 'center', gap: 4, color: color.muted })
