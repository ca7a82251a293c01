import { style } from '@vanilla-extract/css'
import { color, media, mono, radius } from '../../theme/rules.ts'

/** All choices at once, to scroll through. */
export const list = style({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(210px, 1fr))',
  gap: '0 12px',
  maxHeight: 210,
  overflowY: 'auto',
  padding: '6px 10px',
  border: `1px solid ${color.control}`,
  borderRadius: radius.control,
  background: color.surface,
  selectors: { '&[data-invalid]': { borderColor: color['bad-mark'] } },
})
export const choice = style({
  minHeight: 26,
  fontFamily: mono,
  fontSize: 12,
  fontVariantLigatures: 'none',
  '@media': { [media.phone]: { minHeight: 40, fontSize: 14 } },
})
