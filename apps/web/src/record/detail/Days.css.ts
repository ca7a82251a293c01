import { globalStyle, style } from '@vanilla-extract/css'
import { color, type } from '../../base/theme/rules.ts'

export const days = style({ display: 'flex', minWidth: 0 })
globalStyle(`${days} > span`, { maxWidth: 'none', height: 32 })
export const table = style({ width: '100%', borderCollapse: 'collapse' })
globalStyle(`${table} th`, {
  ...type('small'),
  textAlign: 'left',
  fontWeight: 500,
  color: color.muted,
  padding: '4px 8px 4px 0',
})
globalStyle(`${table} td`, { padding: '4px 8px 4px 0', borderTop: `1px solid ${color.line}` })
globalStyle(`${table} :is(th, td):not(:first-child)`, { textAlign: 'right', whiteSpace: 'nowrap' })
export const target = style({ overflowWrap: 'anywhere' })
