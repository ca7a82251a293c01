import { style, styleVariants } from '@vanilla-extract/css'
import { color, finger, inlineCentered, inlineRow, media, radius } from '../base/theme/rules.ts'

const base = style({
  ...inlineRow(4),
  height: 20,
  padding: '0 6px',
  borderRadius: radius.chip,
  border: `1px solid ${color.line}`,
  background: color.sunken,
  fontSize: 12,
  lineHeight: '18px',
  whiteSpace: 'nowrap',
  flex: 'none',
  maxWidth: '100%',
  '@media': { [media.phone]: { height: 24 } },
})
export const chip = styleVariants({
  plain: [base, { color: color.text }],
  accent: [base, { background: color.selected, borderColor: color['accent-line'], color: color.accent }],
})
/** High enough on a phone for a finger. */
export const removable = style([chip.plain, { '@media': { [media.phone]: { height: 36, fontSize: 14 } } }])
export const remove = style({
  all: 'unset',
  ...inlineCentered,
  width: 18,
  height: 18,
  marginRight: -5,
  color: color.faint,
  selectors: { '&:hover': { color: color.text } },
  '@media': { [media.phone]: { width: 36, height: 36, ...finger(3, 0) } },
})
