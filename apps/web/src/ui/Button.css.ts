import { globalStyle, style } from '@vanilla-extract/css'
import { recipe } from '@vanilla-extract/recipes'
import { color, finger, inlineRow, media, motion, radius } from '../base/theme/rules.ts'
import { keycap } from './Keycap.css.ts'

export const button = recipe({
  base: {
    ...inlineRow(6),
    justifyContent: 'center',
    flex: 'none',
    height: 28,
    padding: '0 10px',
    border: `1px solid ${color['line-strong']}`,
    borderRadius: radius.control,
    background: color.surface,
    color: color.text,
    fontSize: 13,
    lineHeight: '20px',
    fontWeight: 500,
    whiteSpace: 'nowrap',
    cursor: 'default',
    textDecoration: 'none',
    transition: `background ${motion.hover}`,
    selectors: {
      '&:hover': { background: color.hover, textDecoration: 'none' },
      '&[aria-disabled="true"], &[data-disabled]': { color: color.faint, background: 'none', borderColor: color.line },
    },
    '@media': { [media.phone]: { height: 36, ...finger(4) } },
  },
  variants: {
    tone: {
      plain: {},
      primary: {
        background: color['accent-solid'],
        borderColor: 'transparent',
        color: color['on-accent'],
        selectors: { '&:hover': { background: color['accent-solid-hover'] } },
      },
      danger: {
        background: color['bad-solid'],
        borderColor: 'transparent',
        color: color['on-accent'],
        selectors: { '&:hover': { background: color['bad-solid-hover'] } },
      },
      ghost: {
        background: 'none',
        borderColor: 'transparent',
        color: color.muted,
        selectors: { '&:hover': { color: color.text } },
      },
      bare: { background: 'none', borderColor: 'transparent' },
      delete: { background: 'none', borderColor: 'transparent', color: color.bad },
    },
    size: {
      normal: {},
      small: { height: 24, padding: '0 8px', fontSize: 12, '@media': { [media.phone]: { height: 32, ...finger(6) } } },
      large: {
        height: 36,
        padding: '0 14px',
        fontSize: 14,
        '@media': { [media.phone]: { height: 44, fontSize: 16, ...finger(0) } },
      },
    },
    shape: {
      normal: {},
      icon: { width: 28, padding: 0, '@media': { [media.phone]: { width: 36 } } },
      wide: { width: '100%' },
    },
  },
  compoundVariants: [
    { variants: { size: 'small', shape: 'icon' }, style: { width: 24, '@media': { [media.phone]: { width: 32 } } } },
  ],
  defaultVariants: { tone: 'plain', size: 'normal', shape: 'normal' },
})

export const quiet = style({ color: color.muted })

export const cap = style({ marginRight: -4 })
globalStyle(`${cap} > ${keycap}`, { background: 'none' })
globalStyle(`[data-tone="primary"] ${keycap}, [data-tone="danger"] ${keycap}`, {
  color: color['on-accent'],
  borderColor: 'rgb(255 255 255 / .42)',
})
