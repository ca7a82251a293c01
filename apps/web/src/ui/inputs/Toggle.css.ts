import { style } from '@vanilla-extract/css'
import { color, finger, inlineRow, media, radius, ring } from '../../base/theme/rules.ts'

export const row = style({
  display: 'inline-flex',
  gap: 8,
  alignItems: 'flex-start',
  cursor: 'default',
  minHeight: 20,
  '@media': { [media.phone]: finger(12, 0) },
})
export const box = style({ position: 'relative', minWidth: 24, minHeight: 24, alignItems: 'center', margin: '-2px 0' })
/** The native checkbox lies invisible over the drawn one, as large as a finger needs. */
export const native = style({
  position: 'absolute',
  inset: 0,
  width: '100%',
  height: '100%',
  margin: 0,
  opacity: 0,
  cursor: 'default',
  '@media': { [media.phone]: { inset: -10, width: 44, height: 44 } },
})
export const tick = style({
  display: 'inline-block',
  flex: 'none',
  position: 'relative',
  width: 14,
  height: 14,
  border: `1px solid ${color.control}`,
  borderRadius: 3,
  background: color.surface,
  selectors: {
    '[data-selected] > &, [data-indeterminate] > &': {
      background: color['accent-solid'],
      borderColor: color['accent-solid'],
    },
    '[data-selected]:not([data-indeterminate]) > &::after': {
      content: '',
      position: 'absolute',
      left: 4,
      top: 1,
      width: 4,
      height: 7,
      border: `solid ${color['on-accent']}`,
      borderWidth: '0 1.5px 1.5px 0',
      rotate: '42deg',
    },
    '[data-indeterminate] > &::after': {
      content: '',
      position: 'absolute',
      left: 2,
      top: 5,
      width: 8,
      height: 2,
      background: color['on-accent'],
    },
    'input:focus-visible + &': ring,
  },
})
export const track = style({
  position: 'relative',
  width: 28,
  height: 16,
  borderRadius: 8,
  background: color.control,
  '::after': {
    content: '',
    position: 'absolute',
    left: 2,
    top: 2,
    width: 12,
    height: 12,
    borderRadius: '50%',
    background: '#fff',
  },
})
export const knob = style([
  track,
  {
    display: 'inline-block',
    flex: 'none',
    marginTop: 2,
    selectors: {
      '[data-selected] > &': { background: color['accent-solid'] },
      '[data-selected] > &::after': { left: 14 },
      '[data-focus-visible] > &': ring,
    },
  },
])
export const words = style({ display: 'grid' })
export const segments = style({
  display: 'flex',
  padding: 2,
  gap: 2,
  borderRadius: radius.control,
  background: color.sunken,
  border: `1px solid ${color.line}`,
})
export const segment = style({
  ...inlineRow(6),
  justifyContent: 'center',
  flex: 1,
  height: 26,
  padding: '0 8px',
  borderRadius: radius.chip,
  border: '1px solid transparent',
  color: color.muted,
  fontWeight: 500,
  whiteSpace: 'nowrap',
  cursor: 'default',
  selectors: {
    '&[data-selected]': { background: color.overlay, color: color.text, borderColor: color['line-strong'] },
    '&[data-focus-visible]': ring,
  },
  '@media': { [media.phone]: { height: 34, ...finger(5, 0) } },
})
