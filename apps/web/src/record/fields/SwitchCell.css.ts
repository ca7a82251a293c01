import { style } from '@vanilla-extract/css'
import { color, ring } from '../../base/theme/rules.ts'
import { track } from '../../ui/inputs/Toggle.css.ts'

export const button = style({
  all: 'unset',
  display: 'inline-grid',
  placeItems: 'center',
  width: 36,
  height: 24,
  borderRadius: 12,
  selectors: { '&:focus-visible': ring, '&[disabled]': { opacity: 0.6 } },
})
export const off = track
/** Twice the class: it wins over the track whichever file comes first. */
export const on = style([
  track,
  { selectors: { '&&': { background: color['accent-solid'] }, '&&::after': { left: 14 } } },
])
