import { asciiKey, asciiText } from './ascii.ts'
import { type Line, type Span, span } from './line.ts'
import { type Colouring, createPainter, createTheme, type Painter, type Role, type Theme } from './theme.ts'

export interface ScreenStyle {
  readonly theme: Theme
  readonly paint: Painter
  readonly ascii: boolean
  readonly colored: boolean
}

export function createScreenStyle({ ascii, ...colouring }: Colouring & { ascii: boolean }): ScreenStyle {
  const theme = createTheme(colouring)
  return { theme, paint: createPainter(theme), ascii, colored: colouring.colorDepth > 0 }
}

export const plainStyle: ScreenStyle = createScreenStyle({ colorDepth: 0, ground: 'unknown', ascii: false })

/** Everything muted: behind a question. */
export function mutedStyle(style: ScreenStyle): ScreenStyle {
  const roles = Object.keys(style.theme) as Role[]
  const theme = Object.fromEntries(roles.map((role) => [role, style.theme.muted])) as Theme
  return { ...style, theme, paint: createPainter(theme) }
}

/** Dots in ASCII, since without color its own sign would look like the bar. */
export const asciiTrack = (text: string): string => text.replace(/\S/gu, '.')

export function paintLine({ paint, ascii }: ScreenStyle, spans: Line): string {
  const shown = ({ text, roles }: Span) => (roles.includes('track') ? asciiTrack(text) : asciiText(text))
  return spans.map((piece) => paint(ascii ? shown(piece) : piece.text, 'text', ...piece.roles)).join('')
}

/** The key in bold, or in brackets without bold. */
export function hintSpans({ ascii, colored }: ScreenStyle, key: string, label: string): readonly Span[] {
  const name = ascii ? asciiKey(key) : key
  return [span(colored ? name : `[${name}]`, 'key'), span(` ${label}`, 'muted')]
}
