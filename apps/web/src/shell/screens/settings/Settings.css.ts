import { globalStyle, style } from '@vanilla-extract/css'
import { color, media } from '../../../base/theme/rules.ts'

export const page = style({ flex: 1, minHeight: 0, overflow: 'auto', display: 'flex', flexDirection: 'column' })
globalStyle(`${page} > *`, { flex: 'none' })
export const section = style({
  display: 'grid',
  gridTemplateColumns: '232px minmax(0, 560px)',
  gap: 32,
  margin: '0 32px',
  padding: '24px 0',
  borderBottom: `1px solid ${color.line}`,
  selectors: { '&:last-child': { borderBottom: 0 } },
  '@media': { [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr)', gap: 12, margin: '0 16px', padding: '16px 0' } },
})
export const keys = style({ display: 'grid', gap: 12, justifyItems: 'start' })
export const fact = style({
  display: 'grid',
  // Room for three digits beside a long label.
  gridTemplateColumns: 'minmax(96px, 200px) minmax(72px, 1fr)',
  gap: 12,
  alignItems: 'center',
  minHeight: 28,
})
globalStyle(`${fact} dt`, { color: color.muted })
globalStyle(`${fact} dd`, { minWidth: 0, overflow: 'hidden' })
export const who = style({ display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', gap: 16, alignItems: 'start' })
globalStyle(`${who} dl`, { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 0 })
export const row = style({ display: 'flex', gap: 8, alignItems: 'center', flexWrap: 'wrap' })
