import { style } from '@vanilla-extract/css'
import { color, cut, media, mono, radius, sans } from '../../../base/theme/rules.ts'

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
/** Choices that are said in words have them before what is stored. */
export const wideList = style([
  list,
  {
    gridTemplateColumns: 'repeat(auto-fill, minmax(300px, 1fr))',
    '@media': { [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' } },
  },
])
export const inWords = style({ fontFamily: sans, fontSize: 13, whiteSpace: 'nowrap' })
export const code = style([cut, { color: color.faint, fontSize: 11 }])
export const choice = style({
  minHeight: 26,
  fontFamily: mono,
  fontSize: 12,
  fontVariantLigatures: 'none',
  '@media': { [media.phone]: { minHeight: 40, fontSize: 14 } },
})
