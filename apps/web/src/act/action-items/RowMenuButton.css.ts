import { style } from '@vanilla-extract/css'
import { bareButton, color, inlineCentered, radius, ring } from '../../base/theme/rules.ts'
import { row } from '../../ui/Table.css.ts'

const base = { ...bareButton, ...inlineCentered, borderRadius: radius.control, color: color.muted } as const
const states = {
  '&:hover': { background: color.selected, color: color.text },
  '&:focus-visible': ring,
} as const

export const button = style({
  ...base,
  position: 'absolute',
  insetBlock: 0,
  right: 0,
  width: 20,
  height: 20,
  margin: 'auto 0',
  opacity: 0,
  selectors: {
    ...states,
    [`${row}:hover &, ${row}:focus &, &[aria-expanded="true"]`]: { opacity: 1 },
  },
})
export const always = style({
  ...base,
  flex: 'none',
  position: 'relative',
  width: 44,
  height: 44,
  margin: '-10px -12px -10px 0',
  selectors: states,
})
