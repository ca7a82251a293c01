import { style } from '@vanilla-extract/css'
import { color, cut, monospace, type } from '../../base/theme/rules.ts'

export const list = style({ display: 'grid' })
export const row = style({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  gap: '0 10px',
  alignItems: 'center',
  minHeight: 44,
  padding: '6px 0',
  borderBottom: `1px solid ${color.line}`,
  selectors: { '&:last-child': { borderBottom: 0 } },
})
export const what = style(cut)
export const names = style({ color: color.muted })
export const when = style([type('small'), { color: color.muted, whiteSpace: 'nowrap' }])
export const cli = style([monospace, cut, { color: color.muted, gridColumn: 2 }])
export const why = style([type('small'), { color: color.bad, gridColumn: '2 / -1', overflowWrap: 'anywhere' }])
export const none = style({ color: color.muted })
