import { style } from '@vanilla-extract/css'
import { color, layer, media, mono, radius } from '../../../base/theme/rules.ts'

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
  background: color.overlay,
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.card,
  boxShadow: color['shadow-menu'],
})
export const option = style({
  display: 'flex',
  alignItems: 'center',
  justifyContent: 'space-between',
  gap: 16,
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
