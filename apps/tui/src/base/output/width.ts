import { eastAsianWidth } from 'get-east-asian-width'

/** Signs that take one cell on every terminal: ASCII, Latin and those that our screens are drawn with. */
const certain =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2319\u231c-\u2328\u232b-\u23e8\u2500-\u25fc\u2713\u2717]*$/
/** Every sign stands for itself and joins with no other: Latin, lines and shapes, Chinese, Japanese, Korean. Taking such a text apart is quick. */
const simple =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2319\u2500-\u25fc\u2e80-\u3029\u3030-\u303e\u3041-\u3096\u309b-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uff01-\uff60\uffe0-\uffe6]*$/
const combining = /^\p{Mark}|^[\u200b-\u200d\u2060]/u
/** Drawn as a picture: by itself, or as what follows says so (flags are two letters). */
const emoji = /^\p{Emoji_Presentation}|\ufe0f/u
let segmenter: Intl.Segmenter | undefined

/** True if every terminal shows the text in as many cells as it has characters. */
export function isCertain(text: string): boolean {
  return certain.test(text)
}

/** The characters a reader sees, each with what belongs to it. */
export function* characters(text: string): Generator<string> {
  if (certain.test(text) || simple.test(text)) return yield* text
  segmenter ??= new Intl.Segmenter()
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** The same with the cells that each takes. */
export function* measured(text: string): Generator<readonly [character: string, cells: number]> {
  for (const character of characters(text)) yield [character, cellsOf(character)]
}

function cellsOf(grapheme: string): number {
  const point = grapheme.codePointAt(0)!
  if (point < 0x300) return 1
  if (combining.test(grapheme)) return 0
  // Signs that stand beside their letter, as in Tamil or half-width Japanese, take a cell of their own in most terminals (wcwidth).
  const beside = grapheme.match(/\p{Mc}|(?<=.)[\uff9e\uff9f]/gu)?.length ?? 0
  if (beside > 0) return 1 + beside
  return eastAsianWidth(point) === 2 || emoji.test(grapheme) ? 2 : 1
}

/** Width of a text in terminal cells. The text has no control characters. */
export function widthOf(text: string): number {
  return widthWithin(text, Number.POSITIVE_INFINITY)
}

/** The same; of a text that is wider than `most` some number above it, without looking at all of it. */
export function widthWithin(text: string, most: number): number {
  if (certain.test(text)) return text.length
  let width = 0
  for (const grapheme of characters(text)) {
    width += cellsOf(grapheme)
    if (width > most) break
  }
  return width
}

/** No more of a text than can matter to so many cells, however long it is: a character is made of a few signs at most. */
export function headFor(text: string, cells: number): string {
  const most = 64 * (Math.max(0, cells) + 1)
  return text.length > most ? text.slice(0, most) : text
}

/** Cells up to which a name is whole in a table of this width, whatever other columns that costs. */
export function wholeName(columns: number): number {
  return columns >= 120 ? 40 : 24
}

/** The text cut to so many cells, never inside a character; `mark` stands where something was left out. */
export function cutTo(text: string, cells: number, mark: string): string {
  const head = headFor(text, cells)
  if (head.length === text.length && widthWithin(text, cells) <= cells) return text
  const room = cells - widthOf(mark)
  let kept = ''
  let width = 0
  for (const grapheme of characters(head)) {
    width += cellsOf(grapheme)
    if (width > room) break
    kept += grapheme
  }
  return room < 0 ? '' : kept + mark
}

/** The same with the middle left out: names often differ at their ends. */
export function cutMiddle(text: string, cells: number, mark: string): string {
  if (widthWithin(text, cells) <= cells) return text
  const room = cells - widthOf(mark)
  const tail: string[] = []
  let width = 0
  for (const [character, wide] of [...measured(text.slice(-64 * (cells + 1)))].reverse()) {
    width += wide
    if (width > Math.floor(room / 2)) break
    tail.unshift(character)
  }
  const end = tail.join('')
  return room < 2 ? cutTo(text, cells, mark) : cutTo(text, room - widthOf(end), '') + mark + end
}

/** The same with its beginning left out: of a line over time the newest part stays. */
export function cutStart(text: string, cells: number, mark: string): string {
  if (widthWithin(text, cells) <= cells) return text
  const kept: string[] = []
  let width = widthOf(mark)
  for (const [character, wide] of [...measured(text.slice(-64 * (cells + 1)))].reverse()) {
    width += wide
    if (width > cells) break
    kept.unshift(character)
  }
  return cells < widthOf(mark) ? '' : mark + kept.join('')
}

/** The text filled with blanks to so many cells. */
export function padTo(text: string, cells: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, cells - widthOf(text)))
  return align === 'left' ? text + blanks : blanks + text
}
