import { style } from '@vanilla-extract/css'
import { color, media } from '../../base/theme/rules.ts'

export const bar = style({
  display: 'flex',
  flex: 'none',
  gap: 16,
  height: 40,
  padding: '0 16px',
  borderBottom: `1px solid ${color.line}`,
  overflow: 'auto hidden',
  scrollbarWidth: 'none',
  '@media': { [media.phone]: { height: 45, gap: 8 } },
})
export const title = style({
  display: 'flex',
  flex: '0 1 auto',
  alignSelf: 'stretch',
  gap: 16,
  minWidth: 0,
  marginRight: 16,
  overflow: 'auto hidden',
  scrollbarWidth: 'none',
})
export const tab = style({
  display: 'inline-flex',
  alignItems: 'center',
  flex: 'none',
  color: color.muted,
  fontWeight: 500,
  whiteSpace: 'nowrap',
  borderBottom: '2px solid transparent',
  outlineOffset: -2,
  selectors: {
    '&:hover': { color: color.text, textDecoration: 'none' },
    '&[aria-current]': { color: color.text, borderBottomColor: color.accent },
  },
  '@media': { [media.phone]: { padding: '0 4px', minWidth: 44, justifyContent: 'center' } },
})
