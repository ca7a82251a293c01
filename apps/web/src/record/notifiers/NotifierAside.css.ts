import { style } from '@vanilla-extract/css'
import { color, cut, monospace, radius, type } from '../../base/theme/rules.ts'

export const box = style({ width: 240, maxWidth: 'calc(100vw - 48px)' })
export const list = style({ outline: 'none', maxHeight: 300, overflow: 'auto', width: 440, maxWidth: '100%' })
export const name = style([monospace, { flex: 'none', width: 176, color: color.accent }])
export const meaning = style([type('small'), cut, { flex: 1 }])
export const sample = style([type('small'), cut, { color: color.muted, maxWidth: 120 }])

export const section = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 })
export const head = style({ color: color.muted })
export const line = style([monospace, { overflowWrap: 'anywhere', color: color.muted }])
export const well = style([
  monospace,
  {
    margin: 0,
    padding: '8px 12px',
    border: `1px solid ${color.line}`,
    borderRadius: radius.control,
    background: color.sunken,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    maxHeight: 260,
    overflow: 'auto',
  },
])
export const help = style([type('small'), { color: color.muted }])
export const wrong = style([type('small'), { color: color.bad, overflowWrap: 'anywhere' }])
export const users = style([type('small'), { display: 'grid', gap: 4 }])
export const user = style({ display: 'flex', gap: 8, alignItems: 'baseline', flexWrap: 'wrap' })
export const faint = style({ color: color.muted })
