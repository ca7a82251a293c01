import { style } from '@vanilla-extract/css'
import { color, type } from '../../base/theme/rules.ts'

export const links = style({ display: 'flex', flexWrap: 'wrap', gap: '4px 12px' })

export const list = style({ display: 'grid' })
export const item = style({
  display: 'flex',
  alignItems: 'baseline',
  gap: 12,
  minHeight: 28,
  padding: '4px 0',
  borderBottom: `1px solid ${color.line}`,
})
export const time = style([type('small'), { color: color.muted, flex: 'none', width: 84, whiteSpace: 'nowrap' }])
export const text = style({ flex: 1, minWidth: 0, overflowWrap: 'anywhere' })
export const written = style([text, { whiteSpace: 'pre-wrap' }])
export const side = style([type('small'), { color: color.muted, flex: 'none', whiteSpace: 'nowrap' }])
export const mark = style({ color: color.muted, alignSelf: 'center', display: 'inline-flex' })
export const kind = style([type('small'), { color: color.muted, flex: 'none', maxWidth: '45%' }])
