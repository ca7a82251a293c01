import { style } from '@vanilla-extract/css'
import { color, cut, media, mono, monospace, radius, sans } from '../../../base/theme/rules.ts'

export const withButton = style({ display: 'flex', flexDirection: 'column', gap: 6 })

export const presets = style({ display: 'flex', flexWrap: 'wrap', gap: 4, marginTop: 6 })
/** The anchor of the native picker, itself invisible. */
export const picker = style({ position: 'absolute', width: 1, height: 1, opacity: 0, pointerEvents: 'none' })
export const end = style({ position: 'relative', display: 'inline-flex' })

export const list = style({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(210px, 1fr))',
  gap: '0 12px',
  maxHeight: 210,
  overflowY: 'auto',
  padding: '6px 10px',
  border: `1px solid ${color.control}`,
  borderRadius: radius.control,
  background: color.surface,
  selectors: { '&[data-invalid]': { borderColor: color['bad-mark'] } },
})
/** Choices with words show them before the stored value. */
export const wideList = style([
  list,
  {
    gridTemplateColumns: 'repeat(auto-fill, minmax(300px, 1fr))',
    '@media': { [media.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' } },
  },
])
export const inWords = style({ fontFamily: sans, fontSize: 13, whiteSpace: 'nowrap' })
export const code = style([cut, { color: color.faint, fontSize: 11 }])
export const choice = style({
  minHeight: 26,
  fontFamily: mono,
  fontSize: 12,
  fontVariantLigatures: 'none',
  '@media': { [media.phone]: { minHeight: 40, fontSize: 14 } },
})

export const root = style({ position: 'relative', minWidth: 0 })
export const tools = style({ position: 'absolute', top: -3, right: 0, display: 'flex', gap: 4, zIndex: 1 })
export const stored = style({ margin: 0, paddingRight: 3, color: color.muted })
export const word = style([cut, { flex: 1 }])
export const extra = style({ color: color.faint, fontWeight: 400, marginLeft: 6 })
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
