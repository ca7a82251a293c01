import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, media, type } from '../../base/theme/rules.ts'

export const root = style({ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1 })
export const step = style([type('small'), { color: color.faint, marginLeft: 'auto', whiteSpace: 'nowrap' }])
export const split = style({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) 320px',
  minHeight: 260,
  overflow: 'hidden',
  flex: '0 1 auto',
  '@media': { [media.side]: { display: 'block', overflow: 'auto', flex: 1 } },
})
export const alone = style({ minHeight: 160, overflow: 'auto', flex: '0 1 auto' })
export const said = style({
  padding: 16,
  display: 'grid',
  gap: 16,
  alignContent: 'start',
  overflow: 'auto',
  minHeight: 0,
})
export const does = style({
  padding: 16,
  background: color.canvas,
  borderLeft: `1px solid ${color.line}`,
  overflow: 'auto',
  minHeight: 0,
  '@media': { [media.side]: { borderLeft: 0, borderTop: `1px solid ${color.line}` } },
})
export const given = style({ display: 'grid', gap: 8 })
export const pair = style({
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 112px) minmax(0, 1fr)',
  gap: 8,
  alignItems: 'center',
})
export const done = style({ color: color.ok, display: 'inline-flex' })
export const name = style([cut, { color: color.muted }])
export const value = style([cut, { margin: 0, fontWeight: 500 }])
globalStyle(`${given} dt, ${given} dd`, { display: 'contents' })
