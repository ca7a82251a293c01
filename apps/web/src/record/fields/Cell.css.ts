import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, monospace, ring, type } from '../../base/theme/rules.ts'
import { track } from '../../ui/inputs/Toggle.css.ts'
import { row } from '../../ui/Table.css.ts'

/** The value shrinks before its button, which follows it directly. */
export const cell = style({ display: 'inline-flex', alignItems: 'center', gap: 2, minWidth: 0, maxWidth: '100%' })
globalStyle(`${cell} > :first-child`, { minWidth: 0 })
/** In tables only on hover or focus: addresses are read more often than copied. */
globalStyle(`${row}:not(:hover, :focus) ${cell} > button:not(:focus-visible)`, { opacity: 0 })

export const lines = style({ display: 'grid', gap: 2, minWidth: 0, overflowWrap: 'anywhere' })
export const line = style([
  type('small'),
  { selectors: { '&:first-child': { fontSize: 14, lineHeight: '20px', fontWeight: 600 } } },
])

export const button = style({
  all: 'unset',
  display: 'inline-grid',
  placeItems: 'center',
  width: 36,
  height: 24,
  borderRadius: 12,
  selectors: { '&:focus-visible': ring, '&[disabled]': { opacity: 0.6 } },
})
export const off = track
/** Doubled class, to win over the track in any file order. */
export const on = style([
  track,
  { selectors: { '&&': { background: color['accent-solid'] }, '&&::after': { left: 14 } } },
])

export const text = style(cut)
export const quiet = style([type('small'), cut, { color: color.muted }])
export const code = style([monospace, cut, { color: color.muted }])
export const measure = style({ whiteSpace: 'nowrap' })
export const unit = style({ color: color.faint, fontSize: 12, marginLeft: 3 })
export const number = style({ whiteSpace: 'nowrap' })
export const figure = {
  plain: number,
  warn: style([number, { color: color.warn }]),
  bad: style([number, { color: color.warn, fontWeight: 600 }]),
}
export const muted = style({ color: color.muted, whiteSpace: 'nowrap' })
export const name = style([cut, { fontWeight: 500, flex: '0 1 auto' }])
export const title = style({ display: 'inline-flex', alignItems: 'center', gap: 6, minWidth: 0, maxWidth: '100%' })
/** The cause shrinks first: the name’s share of the overflow must be less than a pixel. */
export const cause = style([type('small'), cut, { flex: '0 1000000 auto' }])
export const absence = style([cut, { display: 'block', color: color.muted }])
