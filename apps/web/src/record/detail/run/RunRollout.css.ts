import { style } from '@vanilla-extract/css'
import { color, radius, type } from '../../../base/theme/rules.ts'

export const bar = style({
  display: 'flex',
  alignItems: 'center',
  gap: 8,
  flexWrap: 'wrap',
  padding: '8px 12px',
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.control,
})
export const words = style({
  display: 'flex',
  alignItems: 'center',
  gap: '0 16px',
  flexWrap: 'wrap',
  flex: 1,
  minWidth: 0,
})
export const state = style({ display: 'inline-flex', alignItems: 'center', gap: 8 })
export const plan = style([type('small'), { color: color.muted }])
