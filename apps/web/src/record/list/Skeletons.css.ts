import { style } from '@vanilla-extract/css'
import { color } from '../../base/theme/rules.ts'

export const skeletonHead = style({ display: 'flex', height: 28 })
export const skeletonRow = style({ display: 'flex', borderBottom: `1px solid ${color.line}` })
