import { globalStyle, keyframes, style } from '@vanilla-extract/css'
import {
  centered,
  color,
  cut,
  finger,
  flexRow,
  innerRing,
  layer,
  media,
  mono,
  monospace,
  motion,
  radius,
  type,
} from '../base/theme/rules.ts'

/** px of one row; the list is drawn by it. */
export const rowHeight = 32
export const edge = 4
const enter = keyframes({ from: { opacity: 0, translate: '4px 0' } })

/** Beside a terminal, or over a page. On a phone it is a drawer from below. */
export const panel = style({
  position: 'relative',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gridTemplateRows: 'auto auto minmax(0, 1fr) auto',
  width: 376,
  minHeight: 0,
  background: color.overlay,
  borderLeft: `1px solid ${color['line-strong']}`,
  outline: 'none',
  animation: `${enter} ${motion.open}`,
  '@media': {
    [media.snug]: {
      position: 'fixed',
      inset: 'auto 0 0',
      width: '100%',
      height: 'min(85dvh, 720px)',
      zIndex: layer.panel,
      borderLeft: 0,
      borderTop: `1px solid ${color['line-strong']}`,
      borderRadius: `${radius.dialog}px ${radius.dialog}px 0 0`,
      boxShadow: color['shadow-panel'],
    },
  },
})
export const sheet = style({
  position: 'fixed',
  inset: '0 0 0 auto',
  width: 640,
  maxWidth: '100%',
  zIndex: layer.overlay - 1,
  boxShadow: color['shadow-panel'],
  '@media': { [media.snug]: { inset: 'auto 0 0', width: '100%' } },
})
export const dropping = style({ boxShadow: `inset 0 0 0 2px ${color.accent}` })
export const dropNote = style({
  position: 'absolute',
  inset: 8,
  zIndex: 3,
  display: 'grid',
  placeContent: 'center',
  textAlign: 'center',
  padding: 16,
  borderRadius: radius.card,
  background: color.overlay,
  color: color.accent,
  overflowWrap: 'anywhere',
  pointerEvents: 'none',
})
export const head = style({ ...flexRow(4), height: 44, padding: '0 12px 0 16px', minWidth: 0 })
export const title = style([type('lead'), cut, { flex: '0 1 auto', fontWeight: 600 }])
export const count = style([type('small'), cut, { color: color.muted, marginLeft: 8 }])
export const grow = style({ flex: 1, minWidth: 0 })
export const crumbs = style({
  ...flexRow(4),
  padding: '0 16px 8px',
  minWidth: 0,
  ...monospace,
  borderBottom: `1px solid ${color.line}`,
  '@media': { [media.snug]: { minHeight: 44, paddingBottom: 0 } },
})
export const crumb = style([
  cut,
  {
    all: 'unset',
    minWidth: 24,
    flex: '0 1 auto',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: color.accent,
    borderRadius: radius.chip,
    cursor: 'default',
    padding: '2px 4px',
    selectors: { '&:hover': { background: color.hover }, '&:focus-visible': innerRing },
    '@media': { [media.snug]: { padding: '12px 6px' } },
  },
])
export const here = style([cut, { padding: '2px 4px', fontWeight: 500 }])
export const separator = style({ color: color.faint, flex: 'none' })
export const tools = style({ padding: '8px 12px 0', display: 'grid', gap: 8 })
export const typed = style([type('small'), cut, { margin: 0, color: color.muted }])
export const content = style({
  display: 'grid',
  gridTemplateRows: 'auto minmax(0, 1fr)',
  gridTemplateColumns: 'minmax(0, 1fr)',
  minHeight: 0,
})
export const preview = style([content, { outline: 'none' }])
export const notes = style({ padding: '8px 12px 0', display: 'grid', gap: 8 })
export const rows = style({
  position: 'relative',
  overflow: 'auto',
  minHeight: 0,
  outline: 'none',
  padding: `${edge}px 8px`,
  contain: 'strict',
  height: '100%',
})
export const space = style({ position: 'relative' })
export const row = style({
  position: 'absolute',
  left: 0,
  right: 0,
  height: rowHeight,
  ...flexRow(8),
  padding: '0 4px 0 8px',
  borderRadius: radius.control,
  cursor: 'default',
  selectors: {
    '&:hover': { background: color.hover },
    '&[aria-selected="true"]': { background: color.selected },
    [`${rows}:focus &[data-cursor]`]: { background: color.selected, boxShadow: `inset 2px 0 0 ${color.accent}` },
    '&[data-cursor]': { background: color.selected },
  },
  '@media': { [media.snug]: { height: 44 } },
})
export const iconCell = style({
  all: 'unset',
  flex: 'none',
  ...centered,
  width: 20,
  height: 24,
  color: color.muted,
  selectors: { '&[data-folder]': { color: color.accent } },
})
export const nameCell = style([cut, { flex: 1 }])
export const figure = style([
  type('small'),
  { flex: 'none', color: color.muted, fontVariantNumeric: 'tabular-nums', minWidth: 56, textAlign: 'right' },
])
export const time = style([figure, { minWidth: 68, '@media': { [media.snug]: { display: 'none' } } }])
export const buttonCell = style({ flex: 'none', width: 28 })
export const rowButton = style({
  all: 'unset',
  ...centered,
  width: 24,
  height: 24,
  borderRadius: radius.control,
  color: color.muted,
  selectors: { '&:hover': { color: color.text } },
  '@media': { [media.phone]: { width: 32, height: 32, ...finger(6) } },
})
export const empty = style({
  display: 'grid',
  placeContent: 'center',
  padding: 24,
  color: color.muted,
  textAlign: 'center',
})
export const foot = style({ display: 'grid', minWidth: 0 })
export const card = style({
  margin: 12,
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.dialog,
  background: color.overlay,
  boxShadow: color['shadow-menu'],
  overflow: 'hidden',
})
export const cardBody = style({ display: 'grid', gap: 10, padding: '12px 16px', maxHeight: 300, overflow: 'auto' })
export const cardTitle = style([type('lead'), { fontWeight: 600 }])
export const line = style({ display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 })
export const small = style([type('small'), { color: color.muted, minWidth: 0, overflowWrap: 'anywhere' }])
export const bad = style([type('small'), { color: color.bad, overflowWrap: 'anywhere' }])
export const strong = style([cut, { fontWeight: 600, flex: 1 }])
export const plain = style([cut, { flex: 1 }])
export const bar = style({
  height: 4,
  borderRadius: 2,
  background: color.line,
  overflow: 'hidden',
})
export const fill = style({ height: '100%', background: color['accent-solid'] })
export const ended = style({ display: 'grid', gap: 6 })
export const cardFoot = style({
  display: 'flex',
  justifyContent: 'flex-end',
  flexWrap: 'wrap',
  gap: 8,
  padding: '8px 12px',
  borderTop: `1px solid ${color.line}`,
})
export const previewHead = style({ ...flexRow(8), padding: '8px 12px 8px 8px', minWidth: 0 })
export const previewText = style({
  margin: 0,
  whiteSpace: 'pre',
  padding: '8px 16px',
  overflow: 'auto',
  minHeight: 0,
  outline: 'none',
  ...monospace,
  lineHeight: '18px',
  background: color.sunken,
  borderTop: `1px solid ${color.line}`,
  tabSize: 8,
  selectors: { '&:focus-visible': innerRing },
})
export const picture = style({
  ...centered,
  overflow: 'auto',
  minHeight: 0,
  padding: 16,
  background: color.sunken,
  borderTop: `1px solid ${color.line}`,
})
globalStyle(`${picture} > img`, { maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' })
export const editor = style([
  previewText,
  {
    resize: 'none',
    border: 0,
    borderTop: `1px solid ${color.line}`,
    width: '100%',
    height: '100%',
    color: color.text,
    whiteSpace: 'pre',
  },
])
export const diff = style({
  margin: 0,
  maxHeight: 320,
  overflow: 'auto',
  fontFamily: mono,
  fontSize: 12,
  lineHeight: '18px',
})
export const gone = style({ color: color.bad })
export const come = style({ color: color.ok })
