import { globalStyle, style, styleVariants } from '@vanilla-extract/css'
import { color, media, radius, ring, type } from '../../base/theme/rules.ts'

export const picker = style({ display: 'flex', alignItems: 'center', gap: 6, flexWrap: 'wrap', minWidth: 0 })
export const leftOut = style([type('small'), { color: color.muted }])
export const box = style({ width: 200 })

export const charts = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16, minWidth: 0 })
export const tools = style({ display: 'flex', alignItems: 'center', gap: 8, flexWrap: 'wrap' })

export const rangePicker = style({
  marginLeft: 'auto',
  '@media': { [media.phone]: { marginLeft: 0, width: '100%', flexWrap: 'wrap' } },
})

export const figure = style({ margin: 0, minWidth: 0, display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' })
export const caption = style([
  type('small'),
  { display: 'flex', gap: '0 12px', flexWrap: 'wrap', alignItems: 'baseline', color: color.muted },
])
export const title = style({ fontWeight: 600, color: color.text, fontSize: 13 })
export const time = style({ color: color.faint, marginLeft: 'auto', whiteSpace: 'nowrap' })
export const value = style({ whiteSpace: 'nowrap' })
export const number = style({ color: color.text, fontWeight: 600 })
export const frame = style({ position: 'relative', minWidth: 0 })
export const plot = style({
  position: 'relative',
  borderRadius: radius.chip,
  outline: 'none',
  selectors: { '&:focus-visible': ring },
})
globalStyle(`${plot} .u-cursor-x`, { borderRightColor: color.faint, borderRightStyle: 'solid' })
globalStyle(`${plot} .u-select`, {
  background: color['c1-area'],
  borderLeft: `1px solid ${color.c1}`,
  borderRight: `1px solid ${color.c1}`,
})
const key = style({ display: 'inline-block', width: 14, height: 2, marginRight: 5, verticalAlign: 4 })
const dashed = (on: number, gap: number, stroke: string) =>
  `repeating-linear-gradient(90deg, ${stroke} 0 ${on}px, transparent ${on}px ${on + gap}px)`
export const keys = styleVariants({
  0: [key, { background: color.c1 }],
  1: [key, { background: dashed(3, 2, color.c2) }],
  2: [key, { background: dashed(6, 2, color.c3) }],
  3: [key, { background: dashed(1, 2, color.c4) }],
  4: [key, { background: dashed(1, 4, color.c0) }],
})
