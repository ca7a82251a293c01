import { globalStyle, style } from '@vanilla-extract/css'
import { color, cut, flexRow, inlineRow, layer, media, mono, radius, ring, type } from '../../base/theme/rules.ts'
import { dialog, modal, scrim } from '../../ui/overlays/Dialog.css.ts'

export const over = style([scrim({ place: 'top', phone: 'fill' }), { zIndex: layer.overlay }])
export const frame = style([modal, { width: 640, '@media': { [media.phone]: { width: '100%' } } }])
export const box = style([
  dialog({ phone: 'fill' }),
  {
    maxHeight: 'min(560px, calc(100dvh - 88px))',
    '@media': { [media.phone]: { maxHeight: '100dvh', height: '100dvh' } },
  },
])
export const root = style({ display: 'flex', flexDirection: 'column', minHeight: 0, flex: 1, outline: 'none' })
export const head = style({
  ...flexRow(8),
  minHeight: 52,
  padding: '0 16px',
  borderBottom: `1px solid ${color.line}`,
  flex: 'none',
})
export const faint = style({ color: color.faint, display: 'inline-flex' })
export const chip = style({
  ...inlineRow(6),
  height: 24,
  padding: '0 8px',
  borderRadius: radius.control,
  border: `1px solid ${color['accent-line']}`,
  background: color.selected,
  color: color.accent,
  maxWidth: 220,
  flex: 'none',
})
export const chipText = style(cut)
export const chipRemove = style({
  all: 'unset',
  display: 'inline-flex',
  padding: 3,
  margin: '0 -5px 0 -2px',
  selectors: { '&:focus-visible': ring },
})
export const input = style({
  flex: 1,
  minWidth: 80,
  height: 51,
  padding: 0,
  border: 0,
  outline: 'none',
  background: 'none',
  color: color.text,
  fontSize: 16,
  lineHeight: '24px',
})
globalStyle(`${input}:focus-visible`, { outline: 'none' })
export const total = style([type('small'), { color: color.faint, whiteSpace: 'nowrap' }])
export const list = style({
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  padding: '4px 8px 8px',
  scrollPaddingBlock: 40,
  outline: 'none',
})
globalStyle(`${list} [cmdk-group-heading]`, {
  fontSize: 12,
  lineHeight: '16px',
  fontWeight: 500,
  color: color.muted,
  padding: '10px 8px 4px',
})
export const heading = style({ display: 'flex', justifyContent: 'space-between', gap: 12 })
export const names = style([cut, { color: color.faint, fontWeight: 400 }])
export const item = style({
  ...flexRow(10),
  minHeight: 36,
  padding: '0 8px',
  borderRadius: radius.control,
  cursor: 'default',
  selectors: { '&[data-selected="true"]': { background: color.selected } },
  '@media': { [media.phone]: { minHeight: 48, flexWrap: 'wrap', columnGap: 10, rowGap: 0, alignContent: 'center' } },
})
export const icon = style({
  display: 'inline-flex',
  width: 16,
  justifyContent: 'center',
  flex: 'none',
  color: color.muted,
  selectors: { '[data-selected="true"] > &': { color: color.accent }, '[data-off] > &': { color: color.faint } },
})
export const label = style([
  cut,
  { fontWeight: 500, flex: '0 1 auto', selectors: { '[data-off] > &': { color: color.faint } } },
])
export const met = style({ color: color.accent, fontWeight: 600, selectors: { '[data-off] &': { color: 'inherit' } } })
export const detail = style([cut, type('small'), { color: color.muted, flex: '1 1 0', minWidth: 40 }])
export const why = style([
  type('small'),
  {
    color: color.faint,
    ...inlineRow(6),
    marginLeft: 'auto',
    '@media': { [media.phone]: { marginLeft: 0, paddingLeft: 26, width: '100%' } },
  },
])
export const note = style({ padding: '12px 8px', color: color.muted })
export const failed = style({ padding: '8px 8px 0', flex: 'none' })
export const prefixes = style([
  type('small'),
  {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '4px 14px',
    padding: '10px 8px 4px',
    color: color.muted,
    '@media': { [media.phone]: { display: 'none' } },
  },
])
export const hint = style({ display: 'inline-flex', alignItems: 'center', gap: 5, flex: 'none' })
export const foot = style([
  type('small'),
  {
    ...flexRow(14),
    minHeight: 40,
    padding: '0 16px',
    borderTop: `1px solid ${color.line}`,
    background: color.canvas,
    color: color.muted,
    flex: 'none',
    '@media': { [media.phone]: { minHeight: 48, padding: '8px 16px', flexWrap: 'wrap' } },
  },
])
export const cli = style([
  cut,
  {
    flex: 1,
    fontFamily: mono,
    fontSize: 12,
    fontVariantLigatures: 'none',
    '::before': { content: '$ ', color: color.faint },
    '@media': { [media.phone]: { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', flex: '1 0 100%' } },
  },
])
export const grow = style({ flex: 1 })
export const footHint = style([hint, { '@media': { [media.phone]: { display: 'none' } } }])
export const clear = style({
  all: 'unset',
  color: color.faint,
  fontWeight: 400,
  selectors: { '&:hover, &:focus-visible': { color: color.text, textDecoration: 'underline' } },
})
