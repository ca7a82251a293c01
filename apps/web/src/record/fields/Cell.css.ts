import { style } from '@vanilla-extract/css'
import { color, cut, monospace, type } from '../../base/theme/rules.ts'

export const text = style(cut)
export const quiet = style([type('small'), cut, { color: color.muted }])
export const code = style([monospace, cut, { color: color.muted }])
export const measure = style({ whiteSpace: 'nowrap' })
export const unit = style({ color: color.faint, fontSize: 12, marginLeft: 3 })
export const number = style({ whiteSpace: 'nowrap' })
export const figure = {
  plain: number,
  warn: style([number, { color: color.warn, fontWeight: 600 }]),
  bad: style([number, { color: color.bad, fontWeight: 600 }]),
}
export const muted = style({ color: color.muted, whiteSpace: 'nowrap' })
export const name = style([cut, { fontWeight: 500, flex: '0 1 auto' }])
export const title = style({ display: 'inline-flex', alignItems: 'center', gap: 6, minWidth: 0, maxWidth: '100%' })
/** Where both do not fit, the name stays whole: its share of what is missing is less than a px can be parted in, or its last letters would go. */
export const cause = style([type('small'), cut, { flex: '0 1000000 auto' }])
export const absence = style([cut, { color: color.muted }])
