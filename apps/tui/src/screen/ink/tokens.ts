import { characters, widthOf } from '../../base/output/width.ts'
import { styledRuns } from '../terminal/cells.ts'
import { memoize } from '../terminal/memoize.ts'

/** Stock Ink's style is a list of codes, which it only passes on, and blanks have `[]`. */
export interface StyledChar {
  readonly type: 'char'
  readonly value: string
  readonly fullWidth: boolean
  readonly styles: string | readonly never[]
}

const maxLines = 400

/** Memoized, because most lines stay from frame to frame. */
export const tokenize: (line: string) => readonly StyledChar[] = memoize(maxLines, (line) => {
  const chars: StyledChar[] = []
  for (const { text, style } of styledRuns(line))
    for (const value of characters(text)) {
      const width = widthOf(value)
      const last = chars.at(-1)
      if (width === 0 && last) chars[chars.length - 1] = { ...last, value: last.value + value }
      else chars.push({ type: 'char', value, fullWidth: width > 1, styles: style })
    }
  return chars
})

/** `tokenize` already returns styled characters. */
export function styledCharsFromTokens(tokens: readonly StyledChar[]): readonly StyledChar[] {
  return tokens
}

export function styledCharsToString(chars: readonly StyledChar[]): string {
  let line = ''
  let style = ''
  for (const { value, styles } of chars) {
    if (styles !== style && styles.length + style.length > 0) {
      const reset = style === '' ? '' : '\u001b[0m'
      style = styles.length === 0 ? '' : (styles as string)
      line += style === '' ? reset : `${reset}\u001b[${style}m`
    }
    line += value
  }
  return style === '' ? line : `${line}\u001b[0m`
}
