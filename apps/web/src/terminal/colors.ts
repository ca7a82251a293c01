import type { ISearchDecorationOptions } from '@xterm/addon-search'
import type { ITheme } from '@xterm/xterm'
import { dark, light } from '../base/theme/tokens.ts'

/** xterm raises lower contrast to this (WCAG AA, behaviour W-18). */
export const leastContrast = 4.5

const themes = { light, dark }
const poles = {
  light: { black: light['term-fg'], white: light['line-strong'], brightWhite: light.canvas },
  dark: { black: dark['line-strong'], white: dark['term-fg'], brightWhite: dark.text },
}

/** tokens.md 7: bright colors equal the normal ones. */
export function terminalColors(name: 'light' | 'dark'): ITheme {
  const tokens = themes[name]
  const shades = {
    red: tokens.bad,
    green: tokens.ok,
    yellow: tokens.warn,
    blue: tokens.accent,
    magenta: tokens['term-magenta'],
    cyan: tokens['term-cyan'],
  }
  return {
    background: tokens['term-ground'],
    foreground: tokens['term-fg'],
    cursor: tokens['term-fg'],
    cursorAccent: tokens['term-ground'],
    selectionBackground: tokens['accent-line'],
    selectionForeground: tokens['term-fg'],
    selectionInactiveBackground: tokens['accent-line'],
    scrollbarSliderBackground: `${tokens.control}66`,
    scrollbarSliderHoverBackground: `${tokens.control}99`,
    scrollbarSliderActiveBackground: `${tokens.control}cc`,
    ...poles[name],
    ...shades,
    brightBlack: tokens.faint,
    brightRed: shades.red,
    brightGreen: shades.green,
    brightYellow: shades.yellow,
    brightBlue: shades.blue,
    brightMagenta: shades.magenta,
    brightCyan: shades.cyan,
  }
}

export function matchColors(name: 'light' | 'dark'): ISearchDecorationOptions {
  const tokens = themes[name]
  return {
    matchBackground: tokens['warn-tint'],
    matchBorder: tokens['warn-line'],
    matchOverviewRuler: tokens['warn-mark'],
    activeMatchBackground: tokens['accent-line'],
    activeMatchBorder: tokens.accent,
    activeMatchColorOverviewRuler: tokens.accent,
  }
}
