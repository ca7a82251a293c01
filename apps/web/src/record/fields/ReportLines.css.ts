import { style } from '@vanilla-extract/css'
import { type } from '../../base/theme/rules.ts'

export const lines = style({ display: 'grid', gap: 2, minWidth: 0, overflowWrap: 'anywhere' })
export const line = style([
  type('small'),
  { selectors: { '&:first-child': { fontSize: 14, lineHeight: '20px', fontWeight: 600 } } },
])
