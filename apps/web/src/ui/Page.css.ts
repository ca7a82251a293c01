import { style } from '@vanilla-extract/css'
import { bareButton, centered, color, flexRow, inlineRow, media, radius, ring, type } from '../base/theme/rules.ts'

export const skeleton = style({ display: 'inline-block', height: 8, borderRadius: 2, background: color.track })

export const section = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8, justifyItems: 'start' })
export const head = style({ color: color.muted })

export const bar = style({ ...flexRow(8), minHeight: 42, padding: '0 16px', flex: 'none', minWidth: 0 })
export const heading = style({ marginRight: 8, whiteSpace: 'nowrap' })
export const facets = style({
  display: 'flex',
  gap: 2,
  minWidth: 0,
  overflow: 'auto hidden',
  scrollbarWidth: 'none',
})
export const facet = style({
  ...bareButton,
  ...inlineRow(6),
  height: 24,
  padding: '0 8px',
  borderRadius: radius.control,
  color: color.muted,
  whiteSpace: 'nowrap',
  selectors: {
    '&:hover': { color: color.text },
    '&[aria-pressed="true"]': { background: color.hover, color: color.text },
    '&:focus-visible': ring,
  },
})
export const count = style({ fontWeight: 500, color: color.text })
export const spoken = style({
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
})
export const grow = style({ flex: 1, minWidth: 0 })
export const muted = style({ color: color.muted, whiteSpace: 'nowrap' })
export const center = style({
  flex: 1,
  minHeight: 0,
  ...centered,
  gridTemplateColumns: 'minmax(0, 1fr)',
  padding: 24,
  overflow: 'auto',
  borderTop: `1px solid ${color.line}`,
  '@media': { [media.phone]: { placeItems: 'start stretch', padding: 16 } },
})
export const box = style({
  width: 600,
  maxWidth: '100%',
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 16,
  paddingBottom: 48,
})
export const boxTitle = style([type('verdict'), { letterSpacing: '-.012em', overflowWrap: 'anywhere' }])
export const boxText = style([type('lead'), { color: color.muted, marginTop: -12, whiteSpace: 'pre-line' }])
export const row = style({ display: 'flex', alignItems: 'center', gap: 8, flexWrap: 'wrap' })
export const waiting = style({
  ...flexRow(8),
  padding: '10px 12px',
  border: `1px dashed ${color['line-strong']}`,
  borderRadius: radius.control,
})
