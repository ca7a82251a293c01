import { style } from '@vanilla-extract/css'
import { color, flexRow, floating, layer, media, mono, radius, sans } from '../../../base/theme/rules.ts'

export const list = style({
  position: 'absolute',
  zIndex: layer.panel + 1,
  top: 'calc(100% + 4px)',
  left: -1,
  minWidth: 260,
  maxWidth: 'calc(100% + 2px)',
  maxHeight: 8 * 28 + 8,
  margin: 0,
  padding: 4,
  overflow: 'auto',
  ...floating,
})
export const option = style({
  ...flexRow(16),
  justifyContent: 'space-between',
  minHeight: 28,
  padding: '0 8px',
  borderRadius: radius.control,
  whiteSpace: 'nowrap',
  cursor: 'default',
  selectors: {
    '&:hover': { background: color.hover },
    '&[aria-selected="true"]': { background: color.selected },
  },
  '@media': { [media.phone]: { minHeight: 40 } },
})
export const text = style({ fontFamily: mono, fontSize: 12, fontVariantLigatures: 'none' })
export const about = style({ color: color.muted, overflow: 'hidden', textOverflow: 'ellipsis' })

const face = { fontFamily: mono, fontSize: 12, fontVariantLigatures: 'none', lineHeight: '20px' } as const
export const box = style({
  position: 'relative',
  ...flexRow(8),
  flex: 1,
  minWidth: 0,
  height: 32,
  padding: '0 6px 0 10px',
  border: `1px solid ${color.line}`,
  borderRadius: radius.control,
  background: color.surface,
  selectors: {
    '&:hover, &[data-used]': { borderColor: color.control },
    '&:focus-within': { outline: `2px solid ${color.accent}`, outlineOffset: -1, borderColor: color.accent },
    '&[data-invalid]': { borderColor: color['bad-mark'] },
  },
  '@media': { [media.phone]: { height: 44 } },
})
export const icon = style({ color: color.faint, display: 'inline-flex', flex: 'none' })
export const stack = style({ position: 'relative', flex: 1, minWidth: 0, height: '100%', overflow: 'hidden' })
/** The colored copy below shows the text; the input only its caret and selection. */
export const input = style({
  ...face,
  position: 'absolute',
  inset: 0,
  width: '100%',
  padding: '0 4px',
  border: 0,
  outline: 'none',
  background: 'none',
  color: 'transparent',
  caretColor: color.text,
  '::placeholder': { fontFamily: sans, fontSize: 13 },
  '::selection': { background: color['accent-line'], color: 'transparent' },
  selectors: { '&:focus-visible': { outline: 'none' } },
  '@media': { [media.phone]: { fontSize: 16, '::placeholder': { fontSize: 16 } } },
})
export const copy = style({
  ...face,
  position: 'absolute',
  inset: 0,
  padding: '0 4px',
  display: 'flex',
  alignItems: 'center',
  whiteSpace: 'pre',
  pointerEvents: 'none',
  '@media': { [media.phone]: { fontSize: 16 } },
})
export const term = style({
  background: color.hover,
  borderRadius: radius.chip,
  boxShadow: `0 0 0 3px ${color.hover}`,
  color: color.text,
})
export const name = style({ color: color.faint })
export const sign = style({ color: color.accent })
