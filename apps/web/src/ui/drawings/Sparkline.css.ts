import { style, styleVariants } from '@vanilla-extract/css'
import { color } from '../../base/theme/rules.ts'

export const spark = style({ display: 'block', width: 72, height: 16, overflow: 'visible' })
export const stroke = styleVariants({
  plain: { stroke: color.meter },
  warn: { stroke: color['warn-mark'] },
  bad: { stroke: color['bad-mark'] },
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
export const chartThreshold = style({ stroke: color['bad-mark'], strokeWidth: 1, strokeDasharray: '2 3', opacity: 0.8 })
