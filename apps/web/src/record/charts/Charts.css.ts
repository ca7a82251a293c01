import { globalStyle, style, styleVariants } from '@vanilla-extract/css'
import { bareButton, centered, color, floating, layer, media, radius, ring, type } from '../../base/theme/rules.ts'
import { plotInsets } from './align.ts'

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

const { left, right, top, bottom } = plotInsets

/** Above the plot, as wide as its inner area. */
export const lane = style({ position: 'relative', height: 16, marginLeft: left, marginRight: right })
export const spans = style({
  position: 'absolute',
  inset: `${top}px ${right}px ${bottom}px ${left}px`,
  overflow: 'hidden',
  pointerEvents: 'none',
})
const span = style({ position: 'absolute', top: 0, bottom: 0, borderLeft: '1px dashed', opacity: 0.8 })
const shaded = (ground: string) => `color-mix(in srgb, ${ground} 45%, transparent)`
export const spanOf = styleVariants({
  bad: [span, { borderColor: color['bad-mark'], background: shaded(color['bad-tint']) }],
  warn: [span, { borderColor: color['warn-mark'], background: shaded(color['warn-tint']) }],
  muted: [span, { borderColor: color.notch, opacity: 0.5 }],
})
const mark = style([
  bareButton,
  centered,
  {
    position: 'absolute',
    top: 0,
    width: 16,
    height: 16,
    marginLeft: -8,
    borderRadius: radius.chip,
    cursor: 'pointer',
    selectors: { '&:hover': { background: color.hover }, '&:focus-visible': ring },
    '@media': { [media.phone]: { height: 20 } },
  },
])
export const markOf = styleVariants({
  bad: [mark, { color: color.bad }],
  warn: [mark, { color: color.warn }],
  muted: [mark, { color: color.faint }],
})
export const dot = style({ width: 5, height: 5, borderRadius: '50%', background: 'currentColor' })
const tip = style([
  floating,
  type('small'),
  {
    position: 'absolute',
    bottom: '100%',
    zIndex: layer.actions,
    maxWidth: 'min(360px, 100%)',
    padding: '6px 10px',
    pointerEvents: 'none',
    display: 'grid',
    gap: 2,
    color: color.text,
  },
])
export const tipOf = { start: style([tip, { marginLeft: -8 }]), end: style([tip, { marginRight: -8 }]) }
export const more = style({ color: color.muted })
