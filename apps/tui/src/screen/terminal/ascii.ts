import { firstItem } from '@qd/core/errors'
import { widthOf } from '../../base/output/width.ts'

/** Signs and their ASCII marks, one cell each (looks/tui.md "ASCII mode"). */
const pairs = [
  ...['●o', '▲!', '■x', '○.', '◆%', '✓+', '✗X', '◐*', '◓*', '◑*', '◒*', '↑^', '↓v', '←<', '→>', '–-', '▌>'],
  ...['▁_', '▂.', '▃-', '▄=', '▅+', '▆*', '▇%', '█#', '━#', '─-', '›>', '‹<', '…~', '•*', '·.', '│|', '‖|'],
  ...['┌+', '┐+', '└+', '┘+', '┬+', '┴+', "’'", '“"', '”"'],
]
const marks = new Map(pairs.map(([sign = '', mark = '']) => [sign, mark]))

const keyNames: Readonly<Record<string, string>> = {
  '↵': 'enter',
  '↑': 'up',
  '↓': 'down',
  '←': 'left',
  '→': 'right',
  '⌫': 'backspace',
}

/** ASCII of the same width: without accents, known marks by their sign, others `?`. */
export function asciiText(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  let result = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const bare = firstItem(segment.normalize('NFD'))
    const sign = marks.get(segment) ?? (/^[\x20-\x7e]$/.test(bare) ? bare : '?')
    result += sign.repeat(Math.max(widthOf(segment), 0))
  }
  return result
}

/** `⌃k` is `C-k`, `⇧tab` is `S-tab`. */
export function asciiKey(key: string): string {
  return (
    keyNames[key] ??
    key
      .replace('⌃', 'C-')
      .replace('⇧', 'S-')
      .replace(/[\u2191\u2193\u2190\u2192\u21b5\u232b]/g, (sign) => keyNames[sign] ?? sign)
  )
}
