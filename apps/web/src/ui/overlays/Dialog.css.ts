import { keyframes, style } from '@vanilla-extract/css'
import { recipe } from '@vanilla-extract/recipes'
import { color, flexRow, layer, media, motion, radius } from '../../base/theme/rules.ts'

const fade = keyframes({ from: { opacity: 0 } })
const rise = keyframes({ from: { opacity: 0, translate: '0 4px' } })

export const scrim = recipe({
  base: {
    position: 'fixed',
    inset: 0,
    zIndex: layer.overlay,
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    justifyItems: 'center',
    background: color.scrim,
    animation: `${fade} ${motion.open}`,
  },
  variants: {
    place: {
      top: { alignItems: 'start', padding: '72px 16px 16px' },
      middle: { alignItems: 'center', padding: 16, '@media': { [media.phone]: { alignItems: 'end', padding: 8 } } },
      left: { justifyItems: 'start', alignItems: 'stretch', padding: 0 },
    },
    phone: { fill: { '@media': { [media.phone]: { padding: 0, alignItems: 'stretch' } } }, float: {} },
  },
})
export const modal = style({
  minWidth: 0,
  maxWidth: '100%',
  maxHeight: '100%',
  display: 'flex',
  minHeight: 0,
  animation: `${rise} ${motion.open}`,
  outline: 'none',
})
export const dialog = recipe({
  base: {
    display: 'flex',
    flexDirection: 'column',
    width: '100%',
    maxHeight: '100%',
    minHeight: 0,
    background: color.overlay,
    border: `1px solid ${color['line-strong']}`,
    borderRadius: radius.dialog,
    boxShadow: color['shadow-dialog'],
    outline: 'none',
    overflow: 'hidden',
  },
  variants: {
    phone: {
      fill: { '@media': { [media.phone]: { border: 0, borderRadius: 0, height: '100dvh' } } },
      float: {},
    },
    edge: {
      none: {},
      left: { borderRadius: 0, border: 0, borderRight: `1px solid ${color['line-strong']}`, height: '100%' },
    },
  },
  defaultVariants: { edge: 'none' },
})
export const header = style({
  ...flexRow(8),
  flex: 'none',
  padding: '14px 12px 14px 20px',
  borderBottom: `1px solid ${color.line}`,
  '@media': { [media.phone]: { padding: '8px 8px 8px 16px' } },
})
export const heading = style({ flex: 1, minWidth: 0 })
export const body = style({
  display: 'grid',
  gap: 16,
  padding: '16px 20px 20px',
  overflow: 'auto',
  minHeight: 0,
  '@media': { [media.phone]: { padding: 16 } },
})
export const footer = style({
  ...flexRow(8),
  flex: 'none',
  padding: '12px 20px',
  borderTop: `1px solid ${color.line}`,
  '@media': { [media.phone]: { padding: '10px 16px', flexWrap: 'wrap' } },
})
