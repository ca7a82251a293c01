import { style } from '@vanilla-extract/css'
import { color, inlineCentered, media } from '../../../base/theme/rules.ts'
import { box, input } from '../../../ui/inputs/Field.css.ts'

export const field = style([
  box(),
  {
    height: 'auto',
    minHeight: 32,
    padding: '4px 30px 4px 6px',
    gap: 4,
    flexWrap: 'wrap',
    position: 'relative',
    '@media': { [media.phone]: { height: 'auto', minHeight: 44, gap: 8 } },
  },
])
export const text = style([input, { flex: '1 1 24px', minWidth: 24, width: 'auto', height: 22, paddingLeft: 4 }])
export const typing = style([text, { flexBasis: 96, minWidth: 96 }])
export const toggle = style({
  all: 'unset',
  position: 'absolute',
  right: 4,
  top: 3,
  ...inlineCentered,
  width: 24,
  height: 24,
  color: color.faint,
})
export const more = style({
  all: 'unset',
  height: 20,
  padding: '0 6px',
  fontSize: 12,
  lineHeight: '20px',
  color: color.accent,
  borderRadius: 4,
  selectors: { '&:focus-visible': { outline: `2px solid ${color.accent}` } },
})
export const extra = style({
  color: color.faint,
  fontSize: 12,
  marginLeft: 'auto',
  paddingLeft: 12,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
})
export const name = style({ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', flex: '0 1 auto' })
export const icon = style({ color: color.muted, display: 'inline-flex' })
