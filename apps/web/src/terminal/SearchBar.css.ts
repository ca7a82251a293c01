import { style } from '@vanilla-extract/css'
import { color, media, radius, type } from '../base/theme/rules.ts'

export const bar = style({
  position: 'absolute',
  top: 8,
  right: 16,
  zIndex: 2,
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  padding: 6,
  maxWidth: 'calc(100% - 32px)',
  borderRadius: radius.card,
  border: `1px solid ${color['line-strong']}`,
  background: color.overlay,
  boxShadow: color['shadow-menu'],
  '@media': { [media.phone]: { left: 8, right: 8, maxWidth: 'none', flexWrap: 'wrap' } },
})
export const text = style({ width: 220, minWidth: 120, '@media': { [media.phone]: { flex: 1 } } })
export const found = style([
  type('small'),
  { minWidth: 64, padding: '0 4px', color: color.muted, whiteSpace: 'nowrap' },
])
export const toggle = style({
  all: 'unset',
  boxSizing: 'border-box',
  minWidth: 28,
  height: 24,
  padding: '0 6px',
  textAlign: 'center',
  borderRadius: radius.chip,
  border: '1px solid transparent',
  color: color.muted,
  fontSize: 12,
  lineHeight: '22px',
  selectors: {
    '&:hover': { background: color.hover },
    '&[aria-pressed="true"]': { background: color.selected, borderColor: color['accent-line'], color: color.accent },
    '&:focus-visible': { outline: `2px solid ${color.accent}`, outlineOffset: 1 },
  },
})
