import { style } from '@vanilla-extract/css'
import { color, type } from '../theme/rules.ts'

export const reason = style([type('small'), { color: color.bad, overflowWrap: 'anywhere' }])
export const links = style({ display: 'flex', flexWrap: 'wrap', gap: '4px 12px' })
