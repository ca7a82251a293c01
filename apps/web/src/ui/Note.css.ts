import { style, styleVariants } from '@vanilla-extract/css'
import { color, flexRow, media, monospace, radius } from '../base/theme/rules.ts'

const base = style({
  display: 'flex',
  gap: 8,
  padding: '8px 10px',
  borderRadius: radius.control,
  border: '1px solid',
  fontSize: 12,
  lineHeight: '18px',
  color: color.text,
})
export const note = styleVariants({
  plain: [base, { background: color.sunken, borderColor: color.line }],
  ok: [base, { background: color['ok-tint'], borderColor: color['ok-soft'] }],
  warn: [base, { background: color['warn-tint'], borderColor: color['warn-line'] }],
  bad: [base, { background: color['bad-tint'], borderColor: color['bad-line'] }],
})
export const noteIcon = styleVariants({
  plain: { color: color.muted },
  ok: { color: color.ok },
  warn: { color: color.warn },
  bad: { color: color.bad },
})
export const noteTitle = style({ display: 'block', fontWeight: 600 })
const strip = style({
  ...flexRow(8),
  flex: 'none',
  minHeight: 36,
  padding: '4px 16px',
  borderBottom: '1px solid',
  '@media': { [media.phone]: { flexWrap: 'wrap', padding: '8px 16px' } },
})
export const banner = styleVariants({
  warn: [strip, { background: color['warn-tint'], borderColor: color['warn-line'] }],
  bad: [strip, { background: color['bad-tint'], borderColor: color['bad-line'] }],
})
export const bannerText = style({ color: color.muted, flex: 1, minWidth: 200 })
export const well = style({
  borderRadius: radius.control,
  background: color.sunken,
  border: `1px solid ${color.line}`,
  padding: '8px 10px',
  ...monospace,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
})
