import { globalStyle, style } from '@vanilla-extract/css'
import { color, flexRow, media, type } from '../../base/theme/rules.ts'

export const body = style({ display: 'grid', gap: 14, padding: 20, overflow: 'auto', minHeight: 0 })
export const text = style({ color: color.muted, overflowWrap: 'anywhere' })
export const footer = style({
  ...flexRow(8),
  flex: 'none',
  flexWrap: 'wrap',
  justifyContent: 'flex-end',
  padding: '12px 20px',
  borderTop: `1px solid ${color.line}`,
  '@media': { [media.phone]: { padding: '10px 16px' } },
})
globalStyle(`${footer} > button`, { '@media': { [media.phone]: { flex: 1, height: 44 } } })
export const note = style([
  type('small'),
  { flex: 1, color: color.muted, '@media': { [media.phone]: { flex: '1 0 100%' } } },
])
