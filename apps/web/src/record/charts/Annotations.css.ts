import { style, styleVariants } from '@vanilla-extract/css'
import { bareButton, centered, color, floating, layer, media, radius, ring, type } from '../../base/theme/rules.ts'
import { plotInsets } from './plot-insets.ts'

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
