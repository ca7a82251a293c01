import { globalStyle, keyframes, style } from '@vanilla-extract/css'
import { color, cut, flexRow, layer, media, motion, radius, type } from '../../base/theme/rules.ts'

const enter = keyframes({ from: { opacity: 0, translate: '4px 0' } })
export const panel = style({
  position: 'absolute',
  top: 0,
  right: 0,
  bottom: 0,
  width: 640,
  maxWidth: '100%',
  zIndex: layer.panel,
  display: 'flex',
  flexDirection: 'column',
  background: color.overlay,
  borderLeft: `1px solid ${color['line-strong']}`,
  boxShadow: color['shadow-panel'],
  outline: 'none',
  animation: `${enter} ${motion.open}`,
  '@media': { [media.phone]: { position: 'fixed', inset: 0, width: '100%', borderLeft: 0, zIndex: 12 } },
})
export const head = style({
  display: 'grid',
  gap: 10,
  padding: '12px 12px 12px 20px',
  borderBottom: `1px solid ${color.line}`,
  flex: 'none',
  '@media': { [media.phone]: { padding: '8px 8px 12px 16px' } },
})
export const row = style({ ...flexRow(8), minWidth: 0, '@media': { [media.phone]: { flexWrap: 'wrap', rowGap: 0 } } })
export const actions = style({ ...flexRow(8), minWidth: 0, '@media': { [media.phone]: { flexWrap: 'wrap' } } })
/** Beside a cause the name is never cut; on a phone the cause has its own line. */
export const name = style([
  cut,
  {
    fontSize: 15,
    lineHeight: '24px',
    fontWeight: 600,
    flex: 'none',
    maxWidth: '60%',
    '@media': { [media.phone]: { flex: '1 1 0', minWidth: 80, maxWidth: 'none' } },
  },
])
export const id = style({ color: color.faint })
export const cause = style([type('small'), cut, { '@media': { [media.phone]: { order: 1, flexBasis: '100%' } } }])
export const grow = style({ flex: 1, minWidth: 0 })
export const growOnDesktop = style({ flex: 1, minWidth: 0, '@media': { [media.phone]: { display: 'none' } } })
export const body = style({
  padding: '16px 20px',
  display: 'grid',
  gap: 20,
  alignContent: 'start',
  overflow: 'auto',
  minHeight: 0,
  flex: 1,
  '@media': { [media.phone]: { padding: 16 } },
})
export const facts = style({
  display: 'grid',
  gridTemplateColumns: 'fit-content(150px) minmax(0, 1fr) fit-content(150px) minmax(0, 1fr)',
  gap: '4px 12px',
  '@media': { [media.phone]: { gridTemplateColumns: 'fit-content(48%) minmax(0, 1fr)' } },
})
globalStyle(`${facts} dt`, {
  color: color.muted,
  minWidth: 84,
})
globalStyle(`${facts} dd`, { minWidth: 0, overflow: 'hidden', display: 'flex', alignItems: 'center' })
globalStyle(`${facts} dd > *`, { color: color.text, fontSize: 13, lineHeight: '20px' })
/** A phone has no tooltip to show the cut part. */
globalStyle(`${facts} dd > *, ${facts} dd > * > *`, {
  '@media': { [media.phone]: { whiteSpace: 'normal', overflowWrap: 'anywhere' } },
})
export const section = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8, minWidth: 0 })
/** Stands where a section would, without taking a gap, and is still observed. */
export const unseen = style({ position: 'absolute' })
export const sectionHead = style({ display: 'flex', alignItems: 'center', gap: 8, flexWrap: 'wrap', minWidth: 0 })
export const charts = style({
  display: 'grid',
  gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
  border: `1px solid ${color.line}`,
  borderRadius: radius.card,
  overflow: 'hidden',
  gap: 1,
  background: color.line,
  '@media': { [media.phone]: { gridTemplateColumns: '1fr 1fr' } },
})
export const figure = style({ padding: '10px 12px 8px', minWidth: 0, background: color.overlay })
export const caption = style([
  type('small'),
  { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '0 6px', color: color.muted, whiteSpace: 'nowrap' },
])
export const present = style({ marginLeft: 'auto', color: color.text, fontSize: 14, fontWeight: 600 })
export const tones = {
  plain: style({}),
  past: style({ color: color.muted, fontWeight: 400 }),
  warn: style({ color: color.warn }),
  bad: style({ color: color.warn }),
}
export const foot = style([cut, { color: color.faint, fontSize: 11, lineHeight: '14px', minHeight: 14 }])
const swatch = { content: '', display: 'inline-block', width: 10, height: 2, marginRight: 4, verticalAlign: 3 } as const
export const legend = style({ '::before': { ...swatch, background: color.c1 } })
export const legendSecond = style({
  marginLeft: 6,
  '::before': {
    ...swatch,
    background: `repeating-linear-gradient(90deg, ${color.c2} 0 3px, transparent 3px 5px)`,
  },
})
export const muted = style([type('small'), { color: color.muted }])
export const withButton = style({ display: 'flex', alignItems: 'center', gap: 4 })
export const note = style({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' })
