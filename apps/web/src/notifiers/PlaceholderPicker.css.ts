import { style } from '@vanilla-extract/css'
import { color, cut, monospace, type } from '../theme/rules.ts'

export const panel = style({ display: 'grid', gap: 4, outline: 'none', width: 440, maxWidth: 'calc(100vw - 32px)' })
export const list = style({ outline: 'none', maxHeight: 300, overflow: 'auto' })
export const name = style([monospace, { flex: 'none', width: 176, color: color.accent }])
export const meaning = style([type('small'), cut, { flex: 1 }])
export const sample = style([type('small'), cut, { color: color.muted, maxWidth: 120 }])
export const none = style([type('small'), { color: color.muted, padding: '6px 8px' }])
