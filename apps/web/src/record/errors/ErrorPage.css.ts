import { style } from '@vanilla-extract/css'
import { centered, color, media, type } from '../../base/theme/rules.ts'

export const page = style({
  flex: 1,
  minHeight: 0,
  ...centered,
  gridTemplateColumns: 'minmax(0, 1fr)',
  padding: 24,
  background: color.surface,
  overflow: 'auto',
  '@media': { [media.phone]: { placeItems: 'start stretch', padding: 16 } },
})
export const whole = style({ minHeight: '100dvh' })
export const box = style({
  width: 520,
  maxWidth: '100%',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 16,
  paddingBottom: 48,
})
export const icon = style({ color: color.bad, marginBottom: -8 })
export const title = style([type('verdict'), { letterSpacing: '-.012em' }])
export const text = style([type('lead'), { color: color.muted, marginTop: -14 }])
export const row = style({ display: 'flex', gap: 8, alignItems: 'center', flexWrap: 'wrap' })
export const grow = style({ flex: 1 })
