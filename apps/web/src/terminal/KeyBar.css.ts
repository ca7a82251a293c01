import { globalStyle, style } from '@vanilla-extract/css'
import { color, media } from '../base/theme/rules.ts'

/** On phones and wherever a finger is what points. */
export const bar = style({
  display: 'none',
  gridColumn: '1 / -1',
  borderTop: `1px solid ${color['line-strong']}`,
  background: color.canvas,
  '@media': { [media.phone]: { display: 'flex' }, '(pointer: coarse)': { display: 'flex' } },
})
globalStyle(`:root[data-keyboard] ${bar}`, { '@media': { '(pointer: fine)': { display: 'none' } } })
export const key = style({
  all: 'unset',
  flex: 1,
  boxSizing: 'border-box',
  minWidth: 36,
  height: 44,
  textAlign: 'center',
  fontSize: 13,
  fontWeight: 500,
  color: color.text,
  userSelect: 'none',
  selectors: {
    '& + &': { borderLeft: `1px solid ${color.line}` },
    '&:active': { background: color.hover },
    '&[aria-pressed="true"]': { background: color.selected, color: color.accent },
    '&:focus-visible': { outline: `2px solid ${color.accent}`, outlineOffset: -2 },
  },
})
