import { cutTo, headFor, measured, widthOf, widthWithin } from '../../base/output/width.ts'
import type { Role } from './theme.ts'

export interface Span {
  readonly text: string
  readonly roles: readonly Role[]
}

export type Line = readonly Span[]

export function span(text: string, ...roles: readonly Role[]): Span {
  return { text, roles }
}

export function line(text: string, ...roles: readonly Role[]): Line {
  return text === '' ? [] : [{ text, roles }]
}

export function blank(cells: number): Span {
  return { text: ' '.repeat(Math.max(0, cells)), roles: [] }
}

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0)
}

function isWider(spans: Line, cells: number): boolean {
  return spans.reduce((sum, { text }) => (sum > cells ? sum : sum + widthWithin(text, cells - sum)), 0) > cells
}

export function isSameStyle(one: readonly Role[], other: readonly Role[]): boolean {
  return one === other || (one.length === other.length && one.every((role, at) => role === other[at]))
}

export function lineText(spans: Line): string {
  return spans.map(({ text }) => text).join('')
}

/** Effectively unlimited. */
export const spokenCells = 500
/** A line for a screen reader: its words without the blanks of columns. */
export const spokenLine = (spans: Line): string => lineText(spans).replace(/ +/g, ' ').trim()

export function joinedLine(spans: Line): Line {
  return spans.reduce<Span[]>((joined, piece) => {
    const last = joined.at(-1)
    if (!last || !isSameStyle(last.roles, piece.roles)) joined.push(piece)
    else joined[joined.length - 1] = { ...last, text: last.text + piece.text }
    return joined
  }, [])
}

export function cutLine(given: Line, cells: number): Line {
  const spans = given.map((piece) => ({ ...piece, text: headFor(piece.text, cells) }))
  if (!isWider(spans, cells)) return given
  const kept: Span[] = []
  let room = cells
  for (const piece of spans) {
    const width = widthWithin(piece.text, room + 1)
    const rest = spans.slice(kept.length + 1)
    if (width < room || (width === room && rest.every(({ text }) => text === ''))) {
      kept.push(piece)
      room -= width
      continue
    }
    kept.push({ ...piece, text: cutTo(width === room ? `${piece.text} ` : piece.text, room, '…') })
    break
  }
  return kept
}

export function fitLine(spans: Line, cells: number, align: 'left' | 'right' = 'left'): Line {
  const cut = cutLine(spans, cells)
  const missing = cells - lineWidth(cut)
  if (missing <= 0) return cut
  return align === 'left' ? [...cut, blank(missing)] : [blank(missing), ...cut]
}

export function spread(left: Line, right: Line, cells: number): Line {
  const room = cells - lineWidth(right)
  return room < 4 ? fitLine(left, cells) : [...fitLine(left, room), ...right]
}

export function withRoles(spans: Line, ...roles: readonly Role[]): Line {
  return spans.map((piece) => ({ ...piece, roles: [...piece.roles, ...roles] }))
}

/** Muted only: behind a question, or stale. */
export function mutedLine(spans: Line): Line {
  return spans.map(({ text }) => ({ text, roles: ['muted'] }))
}

export function ruleLine(title: Line, cells: number, right: Line = []): Line {
  const head: Line = title.length === 0 ? [] : [span('─ ', 'rule'), ...title, span(' ', 'rule')]
  const tail: Line = right.length === 0 ? [] : [span(' '), ...right, span(' '), span('──', 'rule')]
  const room = cells - lineWidth(tail)
  const start = cutLine(head, room)
  return [...start, span('─'.repeat(Math.max(0, room - lineWidth(start))), 'rule'), ...tail]
}

/** With blank lines below, up to so many rows. */
export function filledTo(rows: number, lines: readonly Line[]): readonly Line[] {
  return [...lines, ...Array.from({ length: Math.max(0, rows - lines.length) }, (): Line => [])]
}

/** A label and what stands beside it, which may take several rows. */
export function ledLines(label: string, cells: number, texts: readonly string[]): Line[] {
  return texts.map((text, row) => [blank(1), ...fitLine(line(row === 0 ? label : '', 'muted'), cells), span(text)])
}

export function wrapText(text: string, cells: number): string[] {
  const lines: string[] = []
  // Null only before the first word, so that indentation stays.
  let current: string | null = null
  for (const word of text.split(' ')) {
    const joined: string = current === null ? word : `${current} ${word}`
    if (headFor(joined, cells) === joined && widthWithin(joined, cells) <= cells) {
      current = joined
      continue
    }
    if (current?.trim()) lines.push(current)
    const pieces = hardWrap(word, cells)
    current = pieces.pop()!
    for (const piece of pieces) lines.push(piece)
  }
  return [...lines, current ?? '']
}

/** Breaks anywhere; at least one piece. */
export function hardWrap(text: string, cells: number): string[] {
  const room = Math.max(1, cells)
  const pieces: string[] = []
  let current = ''
  let width = 0
  for (const [grapheme, wide] of measured(text)) {
    if (width + wide > room && current !== '') {
      pieces.push(current)
      current = ''
      width = 0
    }
    current += grapheme
    width += wide
  }
  return [...pieces, current]
}
