import { globalStyle, style, styleVariants } from '@vanilla-extract/css'
import { color, cut, flexRow, media, type } from '../../base/theme/rules.ts'

export const columns = style({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) 320px',
  minHeight: 0,
  overflow: 'hidden',
  flex: '0 1 auto',
  '@media': { [media.side]: { display: 'block', overflow: 'auto' }, [media.phone]: { flex: '1 1 auto' } },
})
export const single = style({
  minHeight: 0,
  overflow: 'auto',
  flex: '0 1 auto',
  '@media': { [media.phone]: { flex: '1 1 auto' } },
})
export const said = style({
  padding: '16px 20px 20px',
  overflow: 'auto',
  minHeight: 0,
  display: 'grid',
  gap: 16,
  alignContent: 'start',
  '@media': { [media.side]: { overflow: 'visible' }, [media.phone]: { padding: 16 } },
})
export const does = style({
  background: color.canvas,
  borderLeft: `1px solid ${color.line}`,
  padding: '16px 20px',
  overflow: 'auto',
  minHeight: 0,
  '@media': {
    [media.side]: { borderLeft: 0, borderTop: `1px solid ${color.line}`, overflow: 'visible' },
    [media.phone]: { padding: 16 },
  },
})
export const group = style({
  display: 'grid',
  gridTemplateColumns: '76px minmax(0, 1fr)',
  gap: '12px 0',
  minWidth: 0,
  paddingBottom: 16,
  borderBottom: `1px solid ${color.line}`,
  selectors: { '&:last-child': { borderBottom: 0, paddingBottom: 0 } },
  '@media': { [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 } },
})
export const legend = style({
  fontWeight: 500,
  lineHeight: '20px',
  color: color.faint,
  paddingRight: 8,
  overflowWrap: 'anywhere',
  hyphens: 'auto',
})
export const fields = style({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  gap: '16px 12px',
  alignItems: 'start',
  '@media': { [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' } },
})
export const field = styleVariants({
  half: { minWidth: 0 },
  wide: { gridColumn: '1 / -1', minWidth: 0 },
  /** A switch has no label above, so it aligns with the control beside it. */
  lowered: { minWidth: 0, paddingTop: 30, '@media': { [media.phone]: { paddingTop: 0 } } },
})
export const presets = style({ display: 'flex', gap: 6, flexWrap: 'wrap', alignItems: 'center', marginBottom: 12 })
export const presetsLabel = style([type('small'), { color: color.muted }])
export const conflict = style({ display: 'flex', gap: 8, marginTop: 8, flexWrap: 'wrap' })

export const title = style({ display: 'flex', alignItems: 'baseline', gap: 8, minWidth: 0 })
export const which = style([cut, { color: color.faint, fontSize: 13, fontWeight: 400 }])
export const summary = style([type('small'), { color: color.muted, minWidth: 0, overflowWrap: 'anywhere' }])
export const wrong = style([summary, { color: color.bad }])
export const grow = style({ flex: 1, '@media': { [media.phone]: { display: 'none' } } })
export const onDesktop = style({ ...flexRow(8), minWidth: 0, '@media': { [media.phone]: { display: 'none' } } })
export const aboveButtons = style([
  type('small'),
  { display: 'none', color: color.muted, width: '100%', '@media': { [media.phone]: { display: 'block' } } },
])
export const buttons = style({
  display: 'flex',
  gap: 8,
  flex: 'none',
  '@media': { [media.phone]: { width: '100%', flex: '1 1 auto' } },
})
globalStyle(`${buttons} > button`, {
  '@media': {
    [media.phone]: { flex: '1 1 0', minWidth: 0, minHeight: 44, height: 'auto', fontSize: 14, whiteSpace: 'normal' },
  },
})

export const inlineGroup = style({
  display: 'grid',
  gridTemplateColumns: '232px minmax(0, 560px)',
  gap: '12px 32px',
  padding: '24px 0',
  margin: '0 32px',
  borderBottom: `1px solid ${color.line}`,
  '@media': { [media.side]: { gridTemplateColumns: 'minmax(0, 1fr)', margin: '0 16px' } },
})
export const groupNote = style([type('small'), { color: color.muted, marginTop: 2 }])
export const inlineFoot = style({
  position: 'sticky',
  bottom: 0,
  marginTop: 'auto',
  flex: 'none',
  ...flexRow(8),
  padding: '12px 16px',
  background: color.surface,
  borderTop: `1px solid ${color['line-strong']}`,
  flexWrap: 'wrap',
})

export const loading = style({
  display: 'grid',
  gap: 24,
  padding: '12px 0 24px',
  minHeight: 220,
  alignContent: 'start',
})

/** The title names the only group, so its legend is hidden. */
export const connect = style({ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16 })
globalStyle(`${connect} > [data-form]`, { padding: 0, overflow: 'visible' })
globalStyle(`${connect} [data-section]`, { gridTemplateColumns: 'minmax(0, 1fr)' })
globalStyle(`${connect} ${legend}`, { display: 'none' })
