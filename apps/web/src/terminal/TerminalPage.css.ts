import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, flexRow, floating, media, mono, radius, type } from '../base/theme/rules.ts'

export const bar = style({
  display: 'none',
  gridColumn: '1 / -1',
  borderTop: `1px solid ${color['line-strong']}`,
  background: color.canvas,
  '@media': { [media.phone]: { display: 'flex' }, '(pointer: coarse)': { display: 'flex' } },
})
globalStyle(`:root[data-keyboard] ${bar}`, { '@media': { '(pointer: fine)': { display: 'none' } } })
export const key = style({
  all: 'unset',
  flex: 1,
  boxSizing: 'border-box',
  minWidth: 36,
  height: 44,
  textAlign: 'center',
  fontSize: 13,
  fontWeight: 500,
  color: color.text,
  userSelect: 'none',
  selectors: {
    '& + &': { borderLeft: `1px solid ${color.line}` },
    '&:active': { background: color.hover },
    '&[aria-pressed="true"]': { background: color.selected, color: color.accent },
    '&:focus-visible': { outline: `2px solid ${color.accent}`, outlineOffset: -2 },
  },
})

export const searchBar = style({
  position: 'absolute',
  top: 8,
  right: 16,
  zIndex: 2,
  ...flexRow(4),
  padding: 6,
  maxWidth: 'calc(100% - 32px)',
  ...floating,
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

export const app = style({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gridTemplateRows: '48px minmax(0, 1fr) 28px',
  height: '100dvh',
  overflow: 'hidden',
  '@media': { [media.phone]: { gridTemplateRows: '48px minmax(0, 1fr)' } },
})
export const top = style({
  ...flexRow(8),
  padding: '0 12px 0 16px',
  minWidth: 0,
  borderBottom: `1px solid ${color['line-strong']}`,
  background: color.canvas,
  '@media': { [media.phone]: { padding: '0 8px 0 16px', gap: 6 } },
})
export const heading = style({ flex: 'none', marginLeft: 4 })
export const where = style([cut, { color: color.muted, marginLeft: 4, flex: '0 1 auto' }])
export const size = style([
  type('small'),
  {
    flex: 'none',
    padding: '1px 6px',
    borderRadius: radius.chip,
    border: `1px solid ${color.line}`,
    background: color.sunken,
    color: color.muted,
    '@media': { [media.phone]: { display: 'none' } },
  },
])
export const grow = style({ flex: 1, minWidth: 0 })
export const onWide = style({ display: 'inline-flex', gap: 4, '@media': { [media.phone]: { display: 'none' } } })

export const main = style({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  gridTemplateRows: 'minmax(0, 1fr) auto',
  minHeight: 0,
  minWidth: 0,
  background: color['term-ground'],
  outline: 'none',
  '@media': { [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' } },
})
export const screen = style({
  position: 'relative',
  minWidth: 0,
  minHeight: 0,
  overflow: 'hidden',
  padding: '12px 4px 4px 16px',
  '@media': { [media.phone]: { padding: '8px 4px 4px 12px' } },
})
/** Keeps xterm’s layers below the page’s overlays. */
export const cells = style({
  isolation: 'isolate',
  height: '100%',
  minWidth: 0,
  selectors: { '&[data-hidden]': { visibility: 'hidden' } },
})
globalStyle(`${cells} .xterm`, { height: '100%' })
globalStyle(`${cells} .xterm .xterm-viewport`, { background: 'none' })

export const foot = style({
  position: 'absolute',
  left: 12,
  right: 12,
  bottom: 12,
  zIndex: 1,
  display: 'grid',
  justifyItems: 'start',
  gap: 8,
  pointerEvents: 'none',
})
export const notice = style({
  pointerEvents: 'auto',
  display: 'flex',
  alignItems: 'center',
  flexWrap: 'wrap',
  gap: '4px 10px',
  maxWidth: '100%',
  padding: '6px 8px 6px 12px',
  ...floating,
})
export const noticeText = style({ color: color.muted, minWidth: 0 })
export const link = style([
  type('small'),
  {
    maxWidth: '100%',
    padding: '2px 8px',
    borderRadius: radius.chip,
    border: `1px solid ${color['line-strong']}`,
    background: color.overlay,
    color: color.text,
    overflowWrap: 'anywhere',
  },
])
export const gone = style({
  position: 'absolute',
  inset: 0,
  zIndex: 1,
  display: 'grid',
  placeContent: 'center',
  justifyItems: 'center',
  gap: 12,
  padding: 16,
  textAlign: 'center',
  background: color.surface,
})
export const goneText = style([type('lead'), { maxWidth: 480 }])
export const goneNote = style({ color: color.muted, maxWidth: 480 })
export const preview = style({
  resize: 'none',
  width: '100%',
  padding: '8px 10px',
  fontFamily: mono,
  borderRadius: radius.control,
  border: `1px solid ${color.line}`,
  background: color.sunken,
  fontSize: 12,
  lineHeight: '18px',
})
