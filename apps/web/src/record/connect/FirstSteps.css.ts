import { style } from '@vanilla-extract/css'
import { color, flexRow, media } from '../../base/theme/rules.ts'

export const card = style({
  ...flexRow(8),
  height: '100%',
  padding: '0 16px',
  '@media': { [media.phone]: { flexWrap: 'wrap' } },
})
export const count = style({
  color: color.muted,
  whiteSpace: 'nowrap',
  '@media': { [media.phone]: { flex: 1 } },
})
export const steps = style({
  ...flexRow(8),
  flex: 1,
  minWidth: 0,
  overflowX: 'auto',
  whiteSpace: 'nowrap',
  '@media': { [media.phone]: { order: 1, flexBasis: '100%' } },
})
export const done = style({ display: 'inline-flex', alignItems: 'center', gap: 4, color: color.muted })
