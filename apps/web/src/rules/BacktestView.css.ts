import { style } from '@vanilla-extract/css'
import { color, cut, type } from '../theme/rules.ts'

export const verdict = style([type('verdict'), { letterSpacing: '-.012em', textWrap: 'balance' }])
export const rows = style([type('small'), { display: 'grid' }])
export const row = style({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) 108px minmax(88px, auto)',
  alignItems: 'center',
  gap: 12,
  minHeight: 36,
  borderBottom: `1px solid ${color.line}`,
})
export const name = style([cut, { fontWeight: 600 }])
export const time = style({ color: color.muted, textAlign: 'right' })
export const help = style([type('small'), { color: color.muted }])
export const chart = style({ display: 'block', width: 108, height: 24, overflow: 'visible' })
export const line = style({ fill: 'none', stroke: color.c1, strokeWidth: 1.25, strokeLinejoin: 'round' })
export const limit = style({ stroke: color['bad-mark'], strokeWidth: 1, strokeDasharray: '2 3' })
