import { style } from '@vanilla-extract/css'
import { color, media } from '../../base/theme/rules.ts'

export const pager = style({
  display: 'flex',
  flex: 'none',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 4,
  padding: '6px 16px',
  borderTop: `1px solid ${color.line}`,
})
export const page = style({
  display: 'inline-flex',
  alignItems: 'center',
  justifyContent: 'center',
  minWidth: 32,
  minHeight: 32,
  padding: '0 6px',
  color: color.muted,
  fontVariantNumeric: 'tabular-nums',
  borderBottom: '2px solid transparent',
  selectors: {
    '&:hover': { color: color.text, textDecoration: 'none' },
    '&[aria-current]': { color: color.text, fontWeight: 500, borderBottomColor: color.accent },
  },
  '@media': { [media.phone]: { minWidth: 44, minHeight: 44 } },
})
export const step = style({ padding: '0 6px', color: color.muted })
export const total = style({ marginInlineStart: 'auto', color: color.muted })
