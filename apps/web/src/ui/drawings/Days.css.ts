import { style, styleVariants } from '@vanilla-extract/css'
import { color } from '../../base/theme/rules.ts'

export const days = style({ display: 'flex', alignItems: 'flex-end', gap: 2, height: 20, maxWidth: 208, flex: 1 })
export const day = style({ flex: 1, minWidth: 2, borderRadius: 1 })
export const tones = styleVariants({
  ok: [day, { height: 8, background: color['ok-soft'] }],
  warn: [day, { height: 14, background: color['warn-mark'] }],
  bad: [day, { height: 20, background: color['bad-mark'] }],
  muted: [day, { height: 2, background: color.notch }],
})
