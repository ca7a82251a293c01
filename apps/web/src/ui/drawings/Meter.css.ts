import { style, styleVariants } from '@vanilla-extract/css'
import { color, flexRow, media } from '../../base/theme/rules.ts'

const narrow = '(max-width: 359px)'

export const filled = '--filled'
export const notchAt = '--notch-at'

export const line = style({
  ...flexRow(8),
  justifyContent: 'flex-end',
  width: '100%',
  '@media': {
    [media.phone]: { gap: 6 },
    [narrow]: { flexWrap: 'wrap', gap: '2px 6px', justifyContent: 'space-between' },
  },
})
export const track = style({
  position: 'relative',
  flex: 1,
  maxWidth: 56,
  minWidth: 24,
  height: 4,
  borderRadius: 1,
  background: color.track,
  overflow: 'visible',
  '::before': {
    content: '',
    position: 'absolute',
    inset: 0,
    width: `calc(var(${filled}) * 1%)`,
    borderRadius: 1,
    background: 'currentColor',
  },
  '::after': {
    content: '',
    position: 'absolute',
    left: `calc(var(${notchAt}) * 1%)`,
    top: -2,
    width: 1,
    height: 8,
    background: color.notch,
  },
  '@media': {
    [media.phone]: { maxWidth: 'none', minWidth: 8 },
    [narrow]: { order: 3, flex: '1 0 100%' },
  },
})
/** A value near or over its limit is a warning: red means offline or down. */
export const bar = styleVariants({
  plain: { color: color.meter },
  warn: { color: color['warn-mark'] },
  bad: { color: color['warn-mark'] },
})
/** Room for 100, so that the tracks of a column align. */
export const figure = style({ minWidth: 26, textAlign: 'right' })
export const strong = styleVariants({
  plain: {},
  warn: { color: color.warn },
  bad: { color: color.warn, fontWeight: 600 },
})
export const label = style({ minWidth: 26, flex: 'none', color: color.faint, fontSize: 12 })
