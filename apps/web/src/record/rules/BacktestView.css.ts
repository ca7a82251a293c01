import { style } from '@vanilla-extract/css'
import { color, cut, type } from '../../base/theme/rules.ts'

export const verdict = style([type('verdict'), { letterSpacing: '-.012em', textWrap: 'balance' }])
export const rows = style([
  type('small'),
  { display: 'grid', gridTemplateColumns: 'fit-content(45%) minmax(32px, 1fr) auto', columnGap: 12 },
])
export const row = style({
  display: 'grid',
  gridColumn: '1 / -1',
  gridTemplateColumns: 'subgrid',
  alignItems: 'center',
  minHeight: 36,
  borderBottom: `1px solid ${color.line}`,
})
export const name = style([cut, { fontWeight: 600 }])
export const time = style({ color: color.muted, textAlign: 'right' })
export const help = style([type('small'), { color: color.muted }])
export const chart = style({ display: 'block', width: '100%', height: 24, overflow: 'visible' })
export const line = style({
  vectorEffect: 'non-scaling-stroke',
  fill: 'none',
  stroke: color.c1,
  strokeWidth: 1.25,
  strokeLinejoin: 'round',
})
export const limit = style({
  vectorEffect: 'non-scaling-stroke',
  stroke: color['bad-mark'],
  strokeWidth: 1,
  strokeDasharray: '2 3',
})
