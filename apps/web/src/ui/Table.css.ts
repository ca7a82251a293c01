import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, innerRing } from '../theme/rules.ts'

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
export const head = style({ background: color.surface, height: '100%' })
export const column = style({
  display: 'flex',
  alignItems: 'center',
  gap: 4,
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
    '&[data-focus-visible]': innerRing,
    '&[data-allows-sorting]:hover': { color: color.text },
  },
})
/** May reach into the padding before the next column. */
export const columnText = style([
  cut,
  { selectors: { [`${column}:not([data-numeric]) > &:last-child`]: { marginRight: -8 } } },
])
export const titleColumn = style({ paddingLeft: 4 })
/** K1: a row of the virtualizer has no height of its own. */
export const row = style({
  height: '100%',
  width: '100%',
  outline: 'none',
  borderBottom: `1px solid ${color.line}`,
  cursor: 'default',
  selectors: {
    '&[data-hovered], &[data-focused]': { background: color.hover },
    '&[data-focused]': { boxShadow: `inset 3px 0 0 ${color.accent}` },
    '&:has([data-open])': { background: color.hover, boxShadow: `inset 3px 0 0 ${color.accent}` },
    '&[data-selected]': { background: color.selected, borderBottomColor: color['accent-line'] },
  },
})
export const values = style({ display: 'flex', height: '100%', outline: 'none', position: 'relative' })
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
    '&[data-focus-visible]': innerRing,
  },
})
globalStyle(`${cell} > *`, { minWidth: 0 })
/** The check boxes stand at the page's edge; every cell is wrapped, so no cell is a first or last child. */
export const edge = style({ paddingLeft: 16, paddingRight: 0 })
export const titleCell = style({ paddingLeft: 4, fontWeight: 500 })
/** Lies across all live columns, whose own cells are empty then. */
export const across = style({
  position: 'absolute',
  left: 0,
  paddingLeft: 8,
  lineHeight: '20px',
  pointerEvents: 'none',
})
/** Takes no room of its own: the button in it stands at the edge of the row. */
export const menuCell = style({ display: 'contents' })
