import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, flexRow, type } from '../../base/theme/rules.ts'

export const result = style({ width: '100%', minWidth: 0 })
export const old = style([result, { opacity: 0.7 }])
export const checkHelp = style([type('small'), { color: color.muted }])

export const preview = style({ display: 'grid', gap: 16, alignContent: 'start' })
export const section = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 })
export const head = style({ color: color.muted })
export const verdict = style([
  type('verdict'),
  { letterSpacing: '-.012em', overflowWrap: 'anywhere', textWrap: 'balance' },
])
export const gone = style({ color: color.bad })
globalStyle(`${section} + ${section}`, { borderTop: `1px solid ${color.line}`, paddingTop: 16 })
export const said = style([type('lead'), { fontWeight: 600, overflowWrap: 'anywhere' }])
export const bar = style({ display: 'flex', height: 8, borderRadius: 2, overflow: 'hidden', gap: 2 })
export const part = {
  online: style({ background: color['ok-mark'] }),
  offline: style({ background: color['bad-mark'] }),
  excepted: style({ background: color.track }),
}
export const counts = style([type('small'), { display: 'grid' }])
export const count = style({ display: 'flex', alignItems: 'center', gap: 8, minHeight: 20 })
export const left = style({ width: 8, height: 8, margin: '0 1px', borderRadius: '50%', background: color.faint })
export const rows = style([type('small'), { display: 'grid' }])
export const row = style({
  ...flexRow(8),
  minHeight: 28,
  minWidth: 0,
  borderBottom: `1px solid ${color.line}`,
  selectors: { '&:last-child': { borderBottom: 0 } },
})
export const run = style({ display: 'flex', alignItems: 'center', gap: '0 8px', minHeight: 24, flexWrap: 'wrap' })
export const name = style([cut, { flex: 1 }])
export const at = style({ flex: '1 0 auto', maxWidth: '100%' })
export const side = style({ color: color.muted, flex: 'none' })
export const help = style([type('small'), { color: color.muted }])
