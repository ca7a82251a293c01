import { style } from '@vanilla-extract/css'
import { color, ring } from '../theme/rules.ts'

export const button = style({
  all: 'unset',
  display: 'inline-grid',
  placeItems: 'center',
  width: 36,
  height: 24,
  borderRadius: 12,
  selectors: { '&:focus-visible': ring, '&[disabled]': { opacity: 0.6 } },
})
const track = style({
  position: 'relative',
  width: 28,
  height: 16,
  borderRadius: 8,
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
export const off = style([track, { background: color.control }])
export const on = style([track, { background: color['accent-solid'], selectors: { '&::after': { left: 14 } } }])
