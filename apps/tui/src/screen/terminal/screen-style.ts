import { asciiKey, asciiText } from './ascii.ts'
import { type Line, type Span, span } from './line.ts'
import { type Colouring, createPainter, createTheme, type Painter, type Role, type Theme } from './theme.ts'

/** How this terminal shows things. */
export interface ScreenStyle {
  readonly theme: Theme
  readonly paint: Painter
  /** No character beyond ASCII may be written. */
  readonly ascii: boolean
  readonly colored: boolean
}

/** The style of a terminal with these colours. */
export function createScreenStyle({ ascii, ...colouring }: Colouring & { ascii: boolean }): ScreenStyle {
  const theme = createTheme(colouring)
  return { theme, paint: createPainter(theme), ascii, colored: colouring.colorDepth > 0 }
}

/** Text alone, as on a terminal without colours. */
export const plainStyle: ScreenStyle = createScreenStyle({ colorDepth: 0, ground: 'unknown', ascii: false })

/** The same with everything muted and nothing else: what stands behind a question. */
export function mutedStyle(style: ScreenStyle): ScreenStyle {
  const roles = Object.keys(style.theme) as Role[]
  return { ...style, theme: Object.fromEntries(roles.map((role) => [role, style.theme.muted])) as Theme }
}

/** The rest of a bar in ASCII: dots, since without color its own sign would look like the bar. Blanks that pad it stay blank. */
export const asciiTrack = (text: string): string => text.replace(/\S/gu, '.')

/** A line as it is written: coloured, and in ASCII where nothing else may be. */
export function paintLine({ paint, ascii }: ScreenStyle, spans: Line): string {
  const shown = ({ text, roles }: Span) => (roles.includes('track') ? asciiTrack(text) : asciiText(text))
  return spans.map((piece) => paint(ascii ? shown(piece) : piece.text, ...piece.roles)).join('')
}

/** A key and what it does, for hints: the key bold, or in brackets where nothing can be bold. */
export function hintSpans({ ascii, colored }: ScreenStyle, key: string, label: string): readonly Span[] {
  const name = ascii ? asciiKey(key) : key
  return [span(colored ? name : `[${name}]`, 'key'), span(` ${label}`, 'muted')]
}
