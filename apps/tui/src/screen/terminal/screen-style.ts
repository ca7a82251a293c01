import { asciiKey, asciiText } from './ascii.ts'
import { type Line, type Span, span } from './line.ts'
import { type Colouring, createCodes, type Role } from './theme.ts'

export interface ScreenStyle {
  /** Parameters of Select Graphic Rendition. */
  codes(roles: readonly Role[]): string
  readonly ascii: boolean
  readonly colored: boolean
}

export function createScreenStyle({ ascii, ...colouring }: Colouring & { ascii: boolean }): ScreenStyle {
  return { codes: createCodes(colouring), ascii, colored: colouring.colorDepth > 0 }
}

export const plainStyle: ScreenStyle = createScreenStyle({ colorDepth: 0, ground: 'unknown', ascii: false })

/** Everything muted: behind a question. */
export function mutedStyle(style: ScreenStyle): ScreenStyle {
  return { ...style, codes: () => style.codes(['muted']) }
}

/** A text as it is written: `38;5;210;1`, or no codes. */
export interface Run {
  readonly text: string
  readonly codes: string
}

export function paintLine({ codes, ascii }: ScreenStyle, spans: Line): readonly Run[] {
  // Dots in ASCII, since without color its own sign would look like the bar.
  const shown = ({ text, roles }: Span) => (roles.includes('track') ? text.replace(/\S/gu, '.') : asciiText(text))
  return spans.map((piece) => ({ text: ascii ? shown(piece) : piece.text, codes: codes(piece.roles) }))
}

/** The key in bold, or in brackets without bold. */
export function hintSpans({ ascii, colored }: ScreenStyle, key: string, label: string): readonly Span[] {
  const name = ascii ? asciiKey(key) : key
  return [span(colored ? name : `[${name}]`, 'key'), span(` ${label}`, 'muted')]
}
