import { style } from '@vanilla-extract/css'
import { color, flexRow, media, radius, type } from '../../../base/theme/rules.ts'

export const panel = style({
  width: 304,
  maxWidth: 'calc(100vw - 48px)',
  height: '100dvh',
  display: 'grid',
  gridTemplateRows: '48px minmax(0, 1fr) auto',
  background: color.overlay,
  borderRight: `1px solid ${color['line-strong']}`,
  boxShadow: color['shadow-dialog'],
  outline: 'none',
})
export const head = style({
  ...flexRow(8),
  padding: '0 8px 0 16px',
  borderBottom: `1px solid ${color.line}`,
  fontSize: 14,
  fontWeight: 600,
})
export const name = style({ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' })
export const nav = style({ padding: 8, overflow: 'auto' })
export const item = style({
  ...flexRow(10),
  justifyContent: 'space-between',
  height: 44,
  padding: '0 8px',
  borderRadius: radius.control,
  color: color.text,
  fontWeight: 500,
  selectors: {
    '&:hover': { background: color.hover, textDecoration: 'none' },
    '&[aria-current]': { background: color.selected, color: color.accent },
  },
})
export const rule = style({ height: 1, margin: 8, border: 0, background: color.line })
export const foot = style({ borderTop: `1px solid ${color.line}`, padding: 8 })
export const who = style({ display: 'flex', gap: 10, alignItems: 'center', padding: 8 })
export const pair = style({ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 8 })
export const about = style([
  type('small'),
  { display: 'none', padding: '10px 8px 4px', color: color.faint, '@media': { [media.phone]: { display: 'block' } } },
])
