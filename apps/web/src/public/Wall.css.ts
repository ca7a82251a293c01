import { style } from '@vanilla-extract/css'
import { color, cut } from '../base/theme/rules.ts'

/** Exactly one screen without scrolling; type scales with the screen. */
export const wall = style({
  height: '100dvh',
  overflow: 'hidden',
  display: 'grid',
  gridTemplateRows: 'auto auto auto minmax(0, 1fr)',
  gap: '1.2vmin',
  padding: '1.6vmin',
  background: color.canvas,
})
export const top = style({
  display: 'flex',
  alignItems: 'center',
  gap: '0 2vmin',
  minWidth: 0,
  '@media': { '(max-width: 999px)': { flexWrap: 'wrap' } },
})
export const side = style({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'flex-end',
  gap: '0 2vmin',
  marginLeft: 'auto',
  '@media': { '(max-width: 999px)': { flexBasis: '100%' }, '(max-width: 599px)': { flexWrap: 'wrap' } },
})
const shape = { width: '3.6vmin', height: '3.6vmin', flex: 'none' } as const
export const mark = {
  ok: style({ ...shape, borderRadius: '50%', background: color['ok-mark'] }),
  bad: style({ ...shape, background: color['bad-mark'] }),
  muted: style({ ...shape, borderRadius: '50%', border: `.4vmin solid ${color.faint}` }),
}
/** Line height of cut texts: with less, `overflow: hidden` also cuts descenders. */
const whole = 1.4
export const title = style([
  cut,
  {
    fontSize: '4.4vmin',
    lineHeight: whole,
    fontWeight: 600,
    letterSpacing: '-.018em',
    '@media': { '(max-width: 999px)': { flexBasis: 'calc(100% - 6vmin)' } },
  },
])
export const count = style({ fontSize: '2.6vmin', color: color.muted, whiteSpace: 'nowrap' })
export const clock = style({ fontSize: '4.4vmin', lineHeight: 1.2, fontWeight: 600, whiteSpace: 'nowrap' })
export const link = style({ fontSize: 'max(12px, 1.6vmin)', color: color.muted, whiteSpace: 'nowrap' })
export const full = style([
  link,
  { all: 'unset', fontSize: 'max(12px, 1.6vmin)', color: color.muted, whiteSpace: 'nowrap', padding: 4 },
])
export const old = style({
  fontSize: '3.2vmin',
  lineHeight: 1.3,
  fontWeight: 600,
  padding: '1vmin 1.6vmin',
  borderRadius: '.8vmin',
  background: color['bad-tint'],
  border: `.3vmin solid ${color['bad-mark']}`,
  color: color.bad,
})
export const band = style({ display: 'flex', flexWrap: 'wrap', gap: '1vmin', maxHeight: '22vh', overflow: 'hidden' })
const chip = style([
  cut,
  {
    fontSize: '2.4vmin',
    lineHeight: 1.3,
    padding: '.7vmin 1.4vmin',
    borderRadius: '.8vmin',
    border: `.2vmin solid ${color['line-strong']}`,
    background: color.surface,
    maxWidth: '48vw',
  },
])
export const chipOf = {
  ok: style([chip, { borderColor: color['ok-soft'] }]),
  warn: style([chip, { borderColor: color['warn-mark'], color: color.warn, fontWeight: 600 }]),
  bad: style([
    chip,
    { borderColor: color['bad-mark'], background: color['bad-tint'], color: color.bad, fontWeight: 600 },
  ]),
  muted: style([chip, { color: color.muted }]),
}
export const tiles = style({ display: 'grid', gap: '.6vmin', minHeight: 0, minWidth: 0 })
const tile = style({
  containerType: 'size',
  minWidth: 0,
  minHeight: 0,
  overflow: 'hidden',
  borderRadius: '.8vmin',
  border: `.2vmin solid ${color['line-strong']}`,
  background: color.surface,
})
export const tileOf = {
  offline: style([
    tile,
    { background: color['bad-tint'], borderColor: color['bad-mark'], borderWidth: '.4vmin', color: color.bad },
  ]),
  busy: style([tile, { background: color['warn-tint'], borderColor: color['warn-mark'], color: color.warn }]),
  online: style([tile, { borderColor: color['ok-soft'] }]),
  maintenance: style([tile, { color: color.muted, borderColor: color.notch }]),
  never: style([tile, { color: color.muted, borderStyle: 'dashed' }]),
}
/** Problem tiles with words above, all others below. */
export const many = style({
  display: 'grid',
  gridTemplateRows: 'auto minmax(0, 1fr)',
  gap: '1.2vmin',
  minHeight: 0,
  minWidth: 0,
})
export const labeled = style({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(max(88px, 16vmin), 1fr))',
  gridAutoRows: 'max(36px, 7vmin)',
  gap: '.6vmin',
  maxHeight: '55vh',
  overflow: 'hidden',
})
export const squares = style({ display: 'grid', gap: 2, minHeight: 0, minWidth: 0 })
const square = style({ minWidth: 0, minHeight: 0, borderRadius: '.3vmin', position: 'relative', overflow: 'hidden' })
export const squareOf = {
  offline: style([square, { background: color['bad-mark'] }]),
  busy: style([square, { background: color['warn-mark'] }]),
  online: style([square, { background: color['ok-soft'] }]),
  maintenance: style([square, { background: color.notch }]),
  never: style([square, { border: `1px dashed ${color.faint}` }]),
}
export const unseen = style({ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' })
export const inside = style({
  height: '100%',
  display: 'grid',
  alignContent: 'center',
  justifyItems: 'center',
  padding: '2cqmin 4cqmin',
  textAlign: 'center',
})
export const name = style([
  cut,
  { maxWidth: '100%', fontWeight: 600, fontSize: 'clamp(9px, min(30cqh, 14cqw), 64px)', lineHeight: whole },
])
export const said = style([
  cut,
  { maxWidth: '100%', fontSize: 'clamp(8px, min(24cqh, 11cqw), 44px)', lineHeight: whole },
])
