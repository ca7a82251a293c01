import { globalStyle, style } from '@vanilla-extract/css'
import { bareButton, color, media, radius, ring } from '../../../base/theme/rules.ts'

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

/** Sections beside the form; below 890 px only the search, above it. */
export const split = style({
  flex: 1,
  minHeight: 0,
  display: 'grid',
  gridTemplateColumns: '200px minmax(0, 1fr)',
  '@media': { [media.oneRow]: { gridTemplateColumns: 'minmax(0, 1fr)', gridTemplateRows: 'auto minmax(0, 1fr)' } },
})
export const nav = style({
  minHeight: 0,
  overflow: 'auto',
  padding: 8,
  background: color.canvas,
  borderRight: `1px solid ${color.line}`,
  '@media': { [media.oneRow]: { borderRight: 0, borderBottom: `1px solid ${color.line}`, maxHeight: '50vh' } },
})
export const search = style({ marginBottom: 8, '@media': { [media.oneRow]: { marginBottom: 0 } } })
export const list = style({ display: 'grid', gap: 2, '@media': { [media.oneRow]: { display: 'none' } } })
export const found = style({ display: 'grid', gap: 2, '@media': { [media.oneRow]: { marginTop: 8 } } })
export const item = style({
  ...bareButton,
  padding: '4px 8px',
  minHeight: 28,
  borderRadius: radius.control,
  color: color.muted,
  overflowWrap: 'anywhere',
  selectors: {
    '&:hover': { background: color.hover, color: color.text },
    '&[aria-current]': { background: color.selected, color: color.accent },
    '&:focus-visible': ring,
  },
  '@media': { [media.phone]: { minHeight: 44, display: 'flex', alignItems: 'center' } },
})
export const none = style({ color: color.muted, padding: '4px 8px' })
