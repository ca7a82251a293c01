import { style } from '@vanilla-extract/css'
import { color, radius } from '../../base/theme/rules.ts'

export const logo = style({ flex: 'none' })
export const avatar = style({
  flex: 'none',
  borderRadius: radius.control,
  border: `1px solid ${color['line-strong']}`,
  background: color.selected,
})
