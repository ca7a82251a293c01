import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, flexRow } from '../base/theme/rules.ts'

export const frame = style({
  flex: 1,
  minHeight: 0,
  minWidth: 0,
  position: 'relative',
  overflow: 'hidden',
})
export const table = style({
  height: '100%',
  width: '100%',
  overflow: 'hidden auto',
  outline: 'none',
  scrollPaddingTop: 28,
  background: color.surface,
})
export const head = style({ position: 'sticky', top: 0, zIndex: 1, height: 28, background: color.surface })
export const headRow = style({ display: 'flex', height: '100%' })
export const body = style({ position: 'relative' })
export const column = style({
  ...flexRow(4),
  flex: 'none',
  height: '100%',
  padding: '0 8px',
  borderTop: `1px solid ${color.line}`,
  borderBottom: `1px solid ${color['line-strong']}`,
  background: color.surface,
  color: color.muted,
  fontSize: 12,
  lineHeight: '16px',
  fontWeight: 500,
  whiteSpace: 'nowrap',
  overflow: 'hidden',
  cursor: 'default',
  outline: 'none',
  selectors: {
    '&[data-last]': { paddingRight: 20 },
    '&[data-apart]': { paddingLeft: 20 },
    '&[data-numeric]': { justifyContent: 'flex-end' },
    '&[aria-sort]:not([aria-sort="none"])': { color: color.text },
    '&[data-allows-sorting]:hover': { color: color.text },
  },
})
/** May reach into the padding before the next column. */
export const columnText = style([
  cut,
  { selectors: { [`${column}:not([data-numeric]) > &:last-child`]: { marginRight: -8 } } },
])
export const titleColumn = style({ paddingLeft: 4 })
/** Equal heights and layout containment. Paint containment would cost a sixth of the frames while scrolling. */
export const row = style({
  position: 'absolute',
  left: 0,
  right: 0,
  display: 'flex',
  contain: 'layout size style',
  outline: 'none',
  borderBottom: `1px solid ${color.line}`,
  cursor: 'default',
  userSelect: 'none',
  selectors: {
    '&:focus': { background: color.hover, boxShadow: `inset 3px 0 0 ${color.accent}` },
    '&[data-open]': { background: color.hover, boxShadow: `inset 3px 0 0 ${color.accent}` },
    '&[data-selected]': { background: color.selected, borderBottomColor: color['accent-line'] },
  },
  '@media': { '(hover: hover)': { selectors: { '&:hover:not([data-selected])': { background: color.hover } } } },
})
export const cell = style({
  position: 'relative',
  display: 'flex',
  flex: 'none',
  alignItems: 'center',
  height: '100%',
  padding: '0 8px',
  minWidth: 0,
  whiteSpace: 'nowrap',
  outline: 'none',
  selectors: {
    '&[data-last]': { paddingRight: 20 },
    '&[data-apart]': { paddingLeft: 20 },
    '&[data-numeric]': { justifyContent: 'flex-end' },
  },
})
globalStyle(`${cell} > *`, { minWidth: 0 })
/** Check boxes stand at the page’s edge; cells are wrapped, so :first-child doesn’t work. */
export const edge = style({ paddingLeft: 16, paddingRight: 0 })
export const titleCell = style({ paddingLeft: 4, fontWeight: 500 })
export const across = style({
  position: 'absolute',
  left: 0,
  paddingLeft: 8,
  lineHeight: '20px',
  pointerEvents: 'none',
})
/** Takes no room: its button is positioned at the row’s edge. */
export const menuCell = style({ display: 'contents' })
