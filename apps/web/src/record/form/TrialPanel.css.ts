import { style } from '@vanilla-extract/css'
import { color, type } from '../../base/theme/rules.ts'

export const result = style({ width: '100%', minWidth: 0 })
/** The shown result belongs to older values. */
export const old = style([result, { opacity: 0.7 }])
export const help = style([type('small'), { color: color.muted }])
