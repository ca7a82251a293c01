import { style } from '@vanilla-extract/css'
import { color, finger, media, radius } from '../../../base/theme/rules.ts'

export const badge = style({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  flex: 'none',
  height: 28,
  padding: '0 8px',
  borderRadius: radius.control,
  background: color['bad-tint'],
  color: color.bad,
  fontWeight: 600,
  '@media': { [media.phone]: finger(8, 0) },
  selectors: { '&:hover': { textDecoration: 'none' } },
})
