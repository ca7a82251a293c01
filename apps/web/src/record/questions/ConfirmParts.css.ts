import { style } from '@vanilla-extract/css'
import { color, cut, monospace, radius, type } from '../../base/theme/rules.ts'

export const part = style({ display: 'grid', gap: 8 })
export const objects = style([
  type('small'),
  {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(120px, 100%), 1fr))',
    gap: '2px 12px',
    padding: '8px 10px',
    border: `1px solid ${color.line}`,
    borderRadius: radius.control,
    background: color.sunken,
    lineHeight: '20px',
    maxHeight: 240,
    overflow: 'auto',
  },
])
export const object = style({ display: 'flex', alignItems: 'center', gap: 6, minWidth: 0 })
export const name = style(cut)
export const facts = style([type('small'), { display: 'grid', gap: 4 }])
export const fact = style({
  display: 'flex',
  gap: 8,
  alignItems: 'flex-start',
  minHeight: 20,
  overflowWrap: 'anywhere',
})
export const icon = style({ color: color.muted, display: 'inline-flex', paddingTop: 1 })
export const command = style([
  monospace,
  {
    margin: 0,
    padding: '6px 10px',
    maxHeight: 112,
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    background: color.sunken,
    borderRadius: radius.control,
  },
])
