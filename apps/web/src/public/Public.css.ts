import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, finger, flexRow, floating, layer, media, radius, ring, type } from '../base/theme/rules.ts'

const column = { width: '100%', maxWidth: 960, margin: '0 auto', paddingLeft: 24, paddingRight: 24 } as const
const narrow = { [media.phone]: { paddingLeft: 16, paddingRight: 16 } }
export const page = style({
  minHeight: '100dvh',
  background: color.canvas,
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gridTemplateRows: 'auto 1fr auto',
})
export const top = style({
  ...column,
  ...flexRow(8),
  height: 56,
  '@media': { [media.phone]: { ...narrow[media.phone], gap: 4 } },
})
export const brand = style([
  type('lead'),
  { display: 'flex', alignItems: 'center', gap: 8, fontWeight: 600, minWidth: 0 },
])
export const brandName = style(cut)
export const grow = style({ flex: 1 })
export const small = style([type('small'), { color: color.muted }])
export const live = style([small, { '@media': { [media.phone]: { display: 'none' } } }])
export const bad = style([type('small'), { color: color.bad }])
export const main = style({
  ...column,
  paddingTop: 24,
  paddingBottom: 40,
  display: 'grid',
  gap: 28,
  alignContent: 'start',
  '@media': narrow,
})
export const hero = style({ display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', gap: 14, alignItems: 'start' })
export const heroTitle = style([
  type('hero'),
  { letterSpacing: '-.018em', '@media': { [media.phone]: { fontSize: 20, lineHeight: '28px' } } },
])
export const heroText = style([type('lead'), { color: color.muted, marginTop: 2 }])
const shape = { width: 20, height: 20, marginTop: 6 } as const
export const heroMark = {
  ok: style({ ...shape, borderRadius: '50%', background: color['ok-mark'] }),
  bad: style({ ...shape, background: color['bad-mark'] }),
  warn: style({ ...shape, background: color['warn-mark'], clipPath: 'polygon(50% 0, 100% 100%, 0 100%)' }),
  muted: style({ ...shape, borderRadius: '50%', border: `2px solid ${color.faint}` }),
}
const problem = style({
  padding: '12px 16px',
  border: `1px solid ${color['bad-line']}`,
  borderLeft: `3px solid ${color['bad-mark']}`,
  borderRadius: radius.control,
  background: color.surface,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  justifyContent: 'space-between',
  gap: 8,
  '@media': { [media.phone]: { flexDirection: 'column', gap: 2 } },
})
export const planned = style([problem, { borderColor: color.line, borderLeftColor: color.notch }])
export const problemOf = {
  muted: planned,
  warn: style([problem, { borderColor: color.line, borderLeftColor: color['warn-mark'] }]),
  bad: problem,
}
export const section = style({ display: 'grid', gap: 8, gridTemplateColumns: 'minmax(0, 1fr)' })
export const row = style({ ...flexRow(8), justifyContent: 'space-between', minWidth: 0 })
export const groups = style({
  display: 'grid',
  gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
  gap: 12,
  alignItems: 'start',
  '@media': { [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' } },
})
export const group = style({
  background: color.surface,
  border: `1px solid ${color.line}`,
  borderRadius: radius.card,
  padding: '12px 16px',
  minWidth: 0,
})
export const largeGroup = style([group, { gridColumn: '1 / -1' }])
export const unfold = style([
  type('small'),
  {
    all: 'unset',
    fontSize: 12,
    marginTop: 8,
    padding: '4px 0',
    color: color.accent,
    cursor: 'pointer',
    selectors: { '&:focus-visible': ring },
  },
])
export const tiles = style({
  display: 'flex',
  flexWrap: 'wrap',
  gap: 4,
  marginTop: 8,
  '@media': { [media.phone]: { rowGap: 16 } },
})
export const filled = '--filled'
const tile = style({
  display: 'block',
  width: 20,
  height: 20,
  borderRadius: 3,
  selectors: {
    '&:hover': { outline: `2px solid ${color.faint}`, outlineOffset: 1 },
    '&:focus-visible': ring,
  },
  '@media': { [media.phone]: { width: 28, height: 28, ...finger(8, 2) } },
})
export const tileOf = {
  online: style([
    tile,
    {
      border: `1px solid ${color['ok-soft']}`,
      background: `linear-gradient(0deg, ${color['ok-soft']} calc(14% + var(${filled}) * .86%), transparent 0) ${color['ok-tint']}`,
    },
  ]),
  maintenance: style([tile, { border: `1px solid ${color.notch}`, background: color.surface }]),
  busy: style([
    tile,
    {
      border: `1px solid ${color['warn-mark']}`,
      background: `linear-gradient(0deg, ${color['warn-mark']} calc(var(${filled}) * 1%), transparent 0) ${color['warn-tint']}`,
    },
  ]),
  offline: style([
    tile,
    {
      // A border of 2 px, where the others have 1.
      '@media': { [media.phone]: finger(9, 3) },
      border: `2px solid ${color['bad-mark']}`,
      background: `linear-gradient(45deg, transparent calc(50% - 1px), ${color['bad-mark']} calc(50% - 1px) calc(50% + 1px), transparent calc(50% + 1px))`,
    },
  ]),
  never: style([tile, { border: `1px solid ${color.faint}` }]),
}
export const foot = style([
  type('small'),
  {
    ...column,
    ...flexRow(16),
    flexWrap: 'wrap',
    paddingTop: 16,
    paddingBottom: 16,
    color: color.faint,
    '@media': narrow,
  },
])
export const footLink = style({ '@media': { [media.phone]: finger(14, 8) } })
export const link = style({
  display: 'inline-flex',
  alignItems: 'center',
  height: 28,
  padding: '0 10px',
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.control,
  background: color.surface,
  color: color.text,
  fontWeight: 500,
  whiteSpace: 'nowrap',
  selectors: { '&:hover': { background: color.hover, textDecoration: 'none' } },
  '@media': { [media.phone]: { height: 36, ...finger(4, 0) } },
})
export const services = style({
  background: color.surface,
  border: `1px solid ${color.line}`,
  borderRadius: radius.card,
})
export const service = style({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 160px) minmax(0, 1fr) minmax(112px, auto) 72px',
  alignItems: 'center',
  gap: 16,
  minHeight: 48,
  padding: '0 16px',
  borderBottom: `1px solid ${color.line}`,
  selectors: { '&:last-child': { borderBottom: 0 } },
  '@media': {
    [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr) auto auto', gap: '4px 12px', padding: '12px 16px' },
  },
})
export const serviceName = style({ display: 'flex', alignItems: 'center', gap: 8, minWidth: 0 })
export const serviceDays = style({
  display: 'flex',
  minWidth: 0,
  '@media': { [media.phone]: { gridColumn: '1 / -1', gridRow: 2 } },
})
globalStyle(`${serviceDays} > span`, { maxWidth: 'none', gap: 3, height: 32 })
export const figure = style([type('base'), { color: color.muted, textAlign: 'right' }])
const loud = style([type('base'), { fontWeight: 600, textAlign: 'right' }])
export const figureOf = {
  ok: figure,
  muted: figure,
  warn: style([loud, { color: color.warn }]),
  bad: style([loud, { color: color.bad }]),
}
export const percent = style({ textAlign: 'right' })
export const choice = style({
  all: 'unset',
  display: 'inline-grid',
  placeItems: 'center',
  width: 28,
  height: 28,
  borderRadius: radius.control,
  color: color.muted,
  selectors: { '&:hover': { background: color.hover }, '&:focus-visible': ring },
  '@media': { [media.phone]: { width: 36, height: 36, ...finger(4) } },
})
export const language = style([
  type('small'),
  {
    border: 0,
    background: 'none',
    color: color.muted,
    minHeight: 24,
    maxWidth: 160,
    '@media': { [media.phone]: { minHeight: 44 } },
  },
])

export const card = style([
  floating,
  {
    position: 'fixed',
    zIndex: layer.overlay,
    padding: '8px 12px',
    pointerEvents: 'none',
    display: 'grid',
    minWidth: 0,
  },
])
export const back = style([
  type('base'),
  {
    justifySelf: 'start',
    marginBottom: -16,
    selectors: { '&::before': { content: '"← "' } },
    '@media': { [media.phone]: finger(12, 8) },
  },
])
export const charts = style({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gap: 12,
  '@media': { [media.snug]: { gridTemplateColumns: 'minmax(0, 1fr)' } },
})
