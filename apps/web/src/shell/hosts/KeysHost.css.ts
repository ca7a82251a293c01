import { globalStyle, style } from '@vanilla-extract/css'
import { color, flexRow, media, type } from '../../base/theme/rules.ts'

export const tools = style({ ...flexRow(8), '@media': { [media.phone]: { display: 'none' } } })
export const find = style({ width: 260 })
/** The scroller needs its own height, because columns would otherwise overflow sideways. */
export const scroller = style({ overflow: 'hidden auto', minHeight: 0, outlineOffset: -2 })
export const columns = style({
  columns: '4 200px',
  columnGap: 32,
  padding: '16px 20px 24px',
  '@media': { [media.phone]: { columns: '1', padding: 16 } },
})
export const group = style({ breakInside: 'avoid', paddingBottom: 20 })
export const head = style({
  fontSize: 12,
  lineHeight: '16px',
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  color: color.muted,
  paddingBottom: 6,
  borderBottom: `1px solid ${color.line}`,
  marginBottom: 4,
})
export const row = style({ ...flexRow(12), justifyContent: 'space-between', minHeight: 28, breakInside: 'avoid' })
export const caps = style({ display: 'flex', gap: 6, flex: 'none' })
export const steps = style({ display: 'grid' })
export const step = style({ display: 'flex', alignItems: 'center', minHeight: 24 })
export const number = style([type('small'), { width: 18, color: color.faint, flex: 'none' }])
export const where = style({ color: color.muted, fontWeight: 400, fontSize: 13, marginLeft: 8 })
export const note = style([type('small'), { color: color.muted }])
export const grow = style({ flex: 1 })
export const none = style({ padding: 20, color: color.muted })

/** Prints only the sheet, in full. */
const sheet = '[data-sheet]'
globalStyle(`body:has(${sheet}) > #root`, { '@media': { print: { display: 'none' } } })
globalStyle(`:has(> ${sheet}), :has(> * > ${sheet}), :has(> * > * > ${sheet}), ${sheet}`, {
  '@media': {
    print: {
      position: 'static',
      display: 'block',
      overflow: 'visible',
      maxHeight: 'none',
      height: 'auto',
      background: 'none',
      boxShadow: 'none',
      border: 0,
    },
  },
})
globalStyle(`${sheet} ~ footer, ${tools}`, { '@media': { print: { display: 'none' } } })
