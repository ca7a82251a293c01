import { globalStyle, style } from '@vanilla-extract/css'
import { centered, color, flexRow, media, radius, type } from '../../base/theme/rules.ts'
import { box, input } from '../../ui/inputs/Field.css.ts'

export const rules = style([type('lead'), { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 8 }])
export const views = style({ display: 'flex', justifyContent: 'flex-end', marginTop: -4 })
/** The view switch has a hidden label. */
export const viewsSwitch = style({ flex: 'none' })
globalStyle(`${viewsSwitch} > div > span:first-child`, {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
})
export const list = style({ display: 'grid', gap: 8 })
export const condition = style({ position: 'relative', ...flexRow(6), flexWrap: 'wrap', minHeight: 28, minWidth: 0 })
/** On a phone always at the end of the first line. */
export const remove = style({
  '@media': { [media.phone]: { position: 'absolute', right: 0, top: 6 } },
})
globalStyle(`${condition}:has(${remove})`, { '@media': { [media.phone]: { paddingRight: 40 } } })
export const keyword = style({ color: color.muted })
export const token = style([
  box({ size: 'small' }),
  { width: 'auto', padding: '0 8px', fontWeight: 500, '@media': { [media.phone]: { height: 40 } } },
])
export const value = style([box({ size: 'small' }), { width: 'auto', padding: 0, gap: 0, overflow: 'hidden' }])
export const typed = style([input, { padding: '0 8px', fontWeight: 500, fontVariantNumeric: 'tabular-nums' }])
export const unit = style([
  type('small'),
  {
    alignSelf: 'stretch',
    ...centered,
    padding: '0 6px',
    background: color.sunken,
    borderLeft: `1px solid ${color.line}`,
    color: color.faint,
  },
])
export const coverage = style({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  gap: 6,
  alignItems: 'start',
  paddingTop: 4,
  '@media': { [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' } },
})
export const mode = style({ display: 'flex', alignItems: 'center', gap: 6, minHeight: 28 })
export const servers = style({ minWidth: 0 })
globalStyle(`${servers} > div > span:first-child`, {
  position: 'absolute',
  width: 1,
  height: 1,
  overflow: 'hidden',
  clipPath: 'inset(50%)',
})
export const count = style([type('small'), { color: color.muted }])
export const note = style([
  type('small'),
  {
    display: 'flex',
    gap: 8,
    padding: '8px 10px',
    border: `1px solid ${color.line}`,
    borderRadius: radius.control,
    background: color.sunken,
    color: color.muted,
  },
])
globalStyle(`${note} > svg`, { flex: 'none', marginTop: 1 })
