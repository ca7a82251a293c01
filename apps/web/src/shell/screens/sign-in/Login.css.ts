import { globalStyle, style } from '@vanilla-extract/css'
import { color, flexRow, media, type } from '../../../base/theme/rules.ts'

export const page = style({
  minHeight: '100dvh',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gridTemplateRows: '1fr auto',
  background: color.canvas,
})
export const box = style({ width: 360, maxWidth: 'calc(100vw - 32px)', margin: 'auto', display: 'grid', gap: 20 })
export const head = style({ display: 'grid', justifyItems: 'start', gap: 4 })
globalStyle(`${head} h1`, {
  fontSize: 20,
  lineHeight: '28px',
  letterSpacing: '-.014em',
  marginTop: 8,
  overflowWrap: 'anywhere',
})
export const brand = style({ display: 'flex', width: '100%', justifyContent: 'space-between', alignItems: 'end' })
export const muted = style({ color: color.muted })
export const form = style({ display: 'grid', gap: 12 })
export const submit = style({ marginTop: 4 })
export const foot = style([
  type('small'),
  {
    ...flexRow(16),
    padding: 16,
    color: color.faint,
    '@media': { [media.phone]: { flexWrap: 'wrap', gap: '8px 16px' } },
  },
])
export const grow = style({ flex: 1 })
export const menus = style({ display: 'inline-flex', alignItems: 'center', gap: 4 })

export const divider = style({ display: 'flex', alignItems: 'center', gap: 12, color: color.muted })
for (const side of ['before', 'after'])
  globalStyle(`${divider}::${side}`, { content: "''", flex: 1, borderTop: `1px solid ${color.line}` })
