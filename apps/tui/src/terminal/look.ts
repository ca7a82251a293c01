import { asciiKey, asciiText } from './ascii.ts'
import { type Line, type Span, span } from './line.ts'
import type { Painter } from './roles.ts'

/** How this terminal shows things. */
export interface Look {
  readonly paint: Painter
  /** No character beyond ASCII may be written. */
  readonly ascii: boolean
  readonly colored: boolean
}

/** A line as it is written: coloured, and in ASCII where nothing else may be. */
export function paintLine({ paint, ascii }: Look, spans: Line): string {
  const shown = ({ text, roles }: Span) => (roles.includes('track') ? '.'.repeat(text.length) : asciiText(text))
  return spans.map((piece) => paint(ascii ? shown(piece) : piece.text, ...piece.roles)).join('')
}

/** A key and what it does, for hints: the key bold, or in brackets where nothing can be bold. */
export function hintSpans({ ascii, colored }: Look, key: string, label: string): readonly Span[] {
  const name = ascii ? asciiKey(key) : key
  return [span(colored ? name : `[${name}]`, 'key'), span(` ${label}`, 'muted')]
}
