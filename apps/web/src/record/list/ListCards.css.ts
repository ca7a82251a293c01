import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, flexRow, innerRing, type } from '../../base/theme/rules.ts'

export const cards = style({
  flex: 1,
  minHeight: 0,
  height: '100%',
  overflow: 'hidden auto',
  outline: 'none',
  borderTop: `1px solid ${color.line}`,
})
export const card = style({
  height: '100%',
  display: 'grid',
  alignContent: 'center',
  gap: 2,
  padding: '0 16px',
  borderBottom: `1px solid ${color.line}`,
  outline: 'none',
  cursor: 'default',
  selectors: {
    '&[data-focus-visible]': { ...innerRing, boxShadow: `inset 3px 0 0 ${color.accent}` },
    '&[data-selected]': { background: color.selected },
  },
})
export const line = style({ ...flexRow(12), minWidth: 0, justifyContent: 'space-between' })
export const title = style([type('lead'), { minWidth: 0, flex: '1 1 auto', display: 'flex' }])
/** Shrinks before the title, but not below the value. */
export const end = style([
  type('small'),
  { flex: '0 200 auto', minWidth: 'min-content', maxWidth: '60%', color: color.text, whiteSpace: 'nowrap' },
])
export const state = style([type('small'), { flex: 'none', maxWidth: '60%', color: color.text }])
export const named = style({ display: 'inline-flex', alignItems: 'baseline', gap: 6, minWidth: 0, maxWidth: '100%' })
/** Wraps the label to a hidden second line if both don’t fit. */
export const withWhat = style({
  flexFlow: 'row-reverse wrap',
  justifyContent: 'flex-end',
  columnGap: 6,
  rowGap: 4,
  height: '1lh',
  overflow: 'hidden',
  selectors: { [`${end} > &`]: { justifyContent: 'flex-start' } },
})
/** Breakable to nothing, so that it doesn’t count for the minimum width; it never breaks while visible. */
export const what = style({
  color: color.faint,
  flex: '0 1 auto',
  order: 1,
  whiteSpace: 'normal',
  wordBreak: 'break-all',
})
globalStyle(`${withWhat} > :not([data-what])`, cut)
globalStyle(`${end} > ${withWhat} > :not([data-what])`, { maxWidth: '45vw' })
export const below = style([
  type('small'),
  { minWidth: 0, overflow: 'hidden', color: color.muted, display: 'flex', gap: 8, whiteSpace: 'nowrap' },
])
export const days = style({ display: 'flex', minWidth: 0, paddingTop: 2 })
globalStyle(`${days} > span`, { maxWidth: 'none' })
export const meters = style([
  type('small'),
  { display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', gap: 12, color: color.muted },
])
export const long = style({ fontSize: 12 })
