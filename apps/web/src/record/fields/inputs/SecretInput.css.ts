import { style } from '@vanilla-extract/css'
import { color, cut, monospace, radius } from '../../../base/theme/rules.ts'

export const root = style({ position: 'relative', minWidth: 0 })
/** Buttons at the height of the label, at its right. */
export const tools = style({ position: 'absolute', top: -3, right: 0, display: 'flex', gap: 4, zIndex: 1 })
export const stored = style({ margin: 0, paddingRight: 3, color: color.muted })
export const word = style([cut, { flex: 1 }])
export const extra = style({ color: color.faint, fontWeight: 400, marginLeft: 6 })
/** What is stored, to be read: as high as a few lines, and scrolled by itself. */
export const readable = style([
  monospace,
  {
    margin: '4px 0 0',
    padding: '4px 10px',
    maxHeight: 108,
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    color: color.muted,
    background: color.sunken,
    borderRadius: radius.control,
  },
])
