import { globalStyle, style } from '@vanilla-extract/css'
import { recipe } from '@vanilla-extract/recipes'
import { color, cut, flexRow, floating, innerRing, media, mono, radius, type } from '../../base/theme/rules.ts'

export const field = style({ display: 'grid', gap: 4, minWidth: 0, alignContent: 'start' })
export const label = style({ fontWeight: 500, lineHeight: '20px' })
export const notes = style({ display: 'grid', gap: 2 })
export const help = style([type('small'), { color: color.muted }])
export const error = style([type('small'), { color: color.bad, display: 'flex', gap: 4, alignItems: 'flex-start' }])
globalStyle(`${error} > svg`, { marginTop: 2 })

/** The box around an input; with `field`, icons and buttons sit inside it. */
export const box = recipe({
  base: {
    ...flexRow(8),
    height: 32,
    padding: '0 10px',
    width: '100%',
    minWidth: 0,
    border: `1px solid ${color.control}`,
    borderRadius: radius.control,
    background: color.surface,
    color: color.text,
    selectors: {
      '&:focus-within': { ...innerRing, borderColor: color.accent },
      '&[data-invalid]': { borderColor: color['bad-mark'] },
      '&[data-invalid]:focus-within': { outlineColor: color['bad-mark'] },
      '&[data-disabled]': { background: color.sunken, color: color.faint },
    },
    '@media': { [media.phone]: { height: 44, fontSize: 16 } },
  },
  variants: {
    size: {
      normal: {},
      small: { height: 28 },
      login: { height: 36, '@media': { [media.phone]: { height: 44 } } },
      area: { height: 'auto', padding: 0, overflow: 'hidden', '@media': { [media.phone]: { height: 'auto' } } },
    },
    face: {
      sans: {},
      mono: {
        fontFamily: mono,
        fontSize: 12,
        fontVariantLigatures: 'none',
        '@media': { [media.phone]: { fontSize: 16 } },
      },
    },
  },
  defaultVariants: { size: 'normal', face: 'sans' },
})
export const input = style({
  flex: 1,
  minWidth: 0,
  width: '100%',
  height: '100%',
  padding: 0,
  border: 0,
  outline: 'none',
  background: 'none',
  fontFamily: 'inherit',
  fontSize: 'inherit',
})
globalStyle(`${input}:focus-visible`, { outline: 'none' })
export const area = style([
  input,
  { display: 'block', padding: '8px 10px', lineHeight: '20px', resize: 'vertical', minHeight: 56 },
])
export const popover = style({
  ...floating,
  padding: 4,
  minWidth: 'var(--trigger-width)',
  maxWidth: 'min(480px, calc(100vw - 16px))',
  overflow: 'auto',
})
export const option = style({
  ...flexRow(8),
  minHeight: 28,
  padding: '0 8px',
  borderRadius: radius.control,
  cursor: 'default',
  outline: 'none',
  selectors: {
    '&[data-focused]': { background: color.hover },
    '&[data-selected]': { background: color.selected, color: color.accent },
  },
  '@media': { [media.phone]: { minHeight: 44 } },
})
export const selectButton = style({
  all: 'unset',
  ...flexRow(8),
  flex: 1,
  minWidth: 0,
  height: '100%',
  justifyContent: 'space-between',
})
globalStyle(`${selectButton} > :first-child`, { ...cut })
export const faint = style({ color: color.faint })
