import type { StyleRule } from '@vanilla-extract/css'
import { color } from './contract.css.ts'
import { fonts, type Step, steps } from './tokens.ts'

export { color }

/** Font family, corner radii in px, layers (tokens.md 4). */
export const { sans, mono } = fonts
export const radius = { chip: 4, control: 6, card: 8, dialog: 12 } as const
export const layer = { head: 1, panel: 6, actions: 10, overlay: 20, toast: 40 } as const

/** Durations of hover, focus, and opening; nothing else moves (tokens.md 4). */
export const motion = { hover: '80ms', open: '120ms' } as const

/** Media conditions of tokens.md 9; `side` is where tabs become a side menu, `oneRow` where a list's two bars become one, `snug` where its buttons are icons, `phone` where rows become cards. */
export const media = {
  tight: '(max-width: 999px)',
  side: '(max-width: 889px)',
  oneRow: '(max-width: 890px)',
  snug: '(max-width: 759px)',
  phone: '(max-width: 599px)',
} as const

export function type(step: Step): StyleRule {
  const [size, line, weight] = steps[step]
  return { fontSize: size, lineHeight: `${line}px`, fontWeight: weight }
}

export const monospace: StyleRule = { fontFamily: mono, fontVariantLigatures: 'none', fontSize: 12, lineHeight: '20px' }

export const flexRow = (gap: number): StyleRule => ({ display: 'flex', alignItems: 'center', gap })
export const centered: StyleRule = { display: 'grid', placeItems: 'center' }

export const inlineRow = (gap: number): StyleRule => ({ display: 'inline-flex', alignItems: 'center', gap })
export const inlineCentered: StyleRule = { display: 'inline-flex', alignItems: 'center', justifyContent: 'center' }

/** Menus, popovers, and cards above the page. */
export const floating: StyleRule = {
  background: color.overlay,
  border: `1px solid ${color['line-strong']}`,
  borderRadius: radius.card,
  boxShadow: color['shadow-menu'],
}

/** A native button without its looks. */
export const bareButton: StyleRule = { all: 'unset', boxSizing: 'border-box', cursor: 'default' }

export const cut: StyleRule = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap', minWidth: 0 }

/**
 * On a phone, extends the target by so many px so that a finger meets 44 px and the look stays, border included. It
 * sets the whole media rule, so other phone styles go in with it.
 */
export const finger = (high: number, wide = high): StyleRule => ({
  position: 'relative',
  '::after': { content: '', position: 'absolute', inset: `${-high - 1}px ${-wide - 1}px` },
})

export const ring: StyleRule = { outline: `2px solid ${color.accent}`, outlineOffset: 1 }
export const innerRing: StyleRule = { outline: `2px solid ${color.accent}`, outlineOffset: -1 }
