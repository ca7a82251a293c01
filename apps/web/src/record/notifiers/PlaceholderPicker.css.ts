import { style } from '@vanilla-extract/css'
import { color, cut, monospace, type } from '../../base/theme/rules.ts'

export const box = style({ width: 240, maxWidth: 'calc(100vw - 48px)' })
export const list = style({ outline: 'none', maxHeight: 300, overflow: 'auto', width: 440, maxWidth: '100%' })
export const name = style([monospace, { flex: 'none', width: 176, color: color.accent }])
export const meaning = style([type('small'), cut, { flex: 1 }])
export const sample = style([type('small'), cut, { color: color.muted, maxWidth: 120 }])
