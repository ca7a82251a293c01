import { style } from '@vanilla-extract/css'
import { color, type } from '../../base/theme/rules.ts'

export const picker = style({ display: 'flex', alignItems: 'center', gap: 6, flexWrap: 'wrap', minWidth: 0 })
export const leftOut = style([type('small'), { color: color.muted }])
export const box = style({ width: 200 })
