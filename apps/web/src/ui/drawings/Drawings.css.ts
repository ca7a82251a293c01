import { style, styleVariants } from '@vanilla-extract/css'
import { color, radius } from '../../base/theme/rules.ts'

export const days = style({ display: 'flex', gap: 2, height: 20, maxWidth: 208, flex: 1 })
export const day = style({ flex: 1, minWidth: 2, borderRadius: 1 })
export const tones = styleVariants({
  ok: [day, { background: color['ok-soft'] }],
  warn: [day, { background: color['warn-mark'] }],
  bad: [day, { background: color['bad-mark'] }],
  muted: [day, { background: color.track }],
})

export const logo = style({ flex: 'none' })
export const avatar = style({
  flex: 'none',
  borderRadius: radius.control,
  border: `1px solid ${color['line-strong']}`,
  background: color.selected,
})

export const code = style({ width: 200, height: 200, maxWidth: '100%', borderRadius: 4 })

export const spark = style({ display: 'block', width: 72, height: 16, overflow: 'visible' })
export const stroke = styleVariants({
  plain: { stroke: color.meter },
  warn: { stroke: color['warn-mark'] },
  bad: { stroke: color['warn-mark'] },
})
export const chart = style({ display: 'block', width: '100%', height: 52, marginTop: 4, overflow: 'visible' })
export const chartLine = style({
  fill: 'none',
  stroke: color.c1,
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
})
export const chartSecond = style({
  fill: 'none',
  stroke: color.c2,
  strokeWidth: 1.5,
  strokeDasharray: '3 2',
  strokeLinejoin: 'round',
})
export const chartArea = style({ fill: color['c1-area'] })
export const chartBase = style({ stroke: color['line-strong'], strokeWidth: 1 })
export const chartThreshold = style({
  stroke: color['warn-mark'],
  strokeWidth: 1,
  strokeDasharray: '2 3',
  opacity: 0.8,
})
