import { eastAsianWidth } from 'get-east-asian-width'

/** Characters with one cell on every terminal: ASCII, Latin and our line drawing. */
const certain =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2319\u231c-\u2328\u232b-\u23e8\u2500-\u25fc\u2713\u2717]*$/
/** Characters that never combine: Latin, shapes, CJK. They need no grapheme segmentation. */
const simple =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2319\u2500-\u25fc\u2e80-\u3029\u3030-\u303e\u3041-\u3096\u309b-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uff01-\uff60\uffe0-\uffe6]*$/
const combining = /^\p{Mark}|^[\u200b-\u200d\u2060]/u
/** Emoji by itself or by variation selector (flags are two letters). */
const emoji = /^\p{Emoji_Presentation}|\ufe0f/u
let segmenter: Intl.Segmenter | undefined

export function isCertain(text: string): boolean {
  return certain.test(text)
}

function* characters(text: string): Generator<string> {
  if (certain.test(text) || simple.test(text)) return yield* text
  segmenter ??= new Intl.Segmenter()
  for (const { segment } of segmenter.segment(text)) yield segment
}

export function* measured(text: string): Generator<readonly [character: string, cells: number]> {
  for (const character of characters(text)) yield [character, cellsOf(character)]
}

function cellsOf(grapheme: string): number {
  const point = grapheme.codePointAt(0)!
  if (point < 0x300) return 1
  if (combining.test(grapheme)) return 0
  // Spacing marks, as in Tamil or half-width Japanese, take a cell of their own in most terminals (wcwidth).
  const beside = grapheme.match(/\p{Mc}|(?<=.)[\uff9e\uff9f]/gu)?.length ?? 0
  if (beside > 0) return 1 + beside
  return eastAsianWidth(point) === 2 || emoji.test(grapheme) ? 2 : 1
}

export function widthOf(text: string): number {
  return widthWithin(text, Number.POSITIVE_INFINITY)
}

/** Like `widthOf`, but stops once it exceeds `most`. */
export function widthWithin(text: string, most: number): number {
  if (certain.test(text)) return text.length
  let width = 0
  for (const grapheme of characters(text)) {
    width += cellsOf(grapheme)
    if (width > most) break
  }
  return width
}

/** The part of a text that can affect so many cells. */
export function headFor(text: string, cells: number): string {
  const most = 64 * (Math.max(0, cells) + 1)
  return text.length > most ? text.slice(0, most) : text
}

/** Cells up to which a name isn't cut in a table of this width. */
export function wholeName(columns: number): number {
  return columns >= 120 ? 40 : 24
}

function fits(text: string, cells: number): boolean {
  return headFor(text, cells) === text && widthWithin(text, cells) <= cells
}

/** The first of these characters that fit into so many cells. */
function fitting(text: Iterable<readonly [character: string, cells: number]>, room: number): string[] {
  const kept: string[] = []
  let left = room
  for (const [character, cells] of text) {
    left -= cells
    if (left < 0) break
    kept.push(character)
  }
  return kept
}

const startOf = (text: string, room: number) => fitting(measured(headFor(text, room)), room).join('')

function endOf(text: string, room: number): string {
  const end = [...measured(text.slice(-64 * (Math.max(0, room) + 2)))]
  return fitting(end.reverse(), room).reverse().join('')
}

export function cutTo(text: string, cells: number, mark: string): string {
  const room = cells - widthOf(mark)
  return fits(text, cells) ? text : room < 0 ? '' : startOf(text, room) + mark
}

/** Cuts the middle, because names often differ at their ends. */
export function cutMiddle(text: string, cells: number, mark: string): string {
  const room = cells - widthOf(mark)
  if (fits(text, cells) || room < 2) return cutTo(text, cells, mark)
  const end = endOf(text, Math.floor(room / 2))
  return startOf(text, room - widthOf(end)) + mark + end
}

/** Cuts the start: the newest part of a trend stays. */
export function cutStart(text: string, cells: number, mark: string): string {
  const room = cells - widthOf(mark)
  return fits(text, cells) ? text : room < 0 ? '' : mark + endOf(text, room)
}

export function padTo(text: string, cells: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, cells - widthOf(text)))
  return align === 'left' ? text + blanks : blanks + text
}
