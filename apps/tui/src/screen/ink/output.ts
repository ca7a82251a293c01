import { type StyledChar, styledCharsToString, tokenize } from './tokens.ts'
import stringWidth from './width.ts'

interface Clip {
  readonly x1: number | undefined
  readonly x2: number | undefined
  readonly y1: number | undefined
  readonly y2: number | undefined
}

type Transformer = (line: string, index: number) => string

type Row = string | StyledChar[]

const blank: StyledChar = { type: 'char', value: ' ', fullWidth: false, styles: [] }

export default class Output {
  readonly #rows: Row[]
  readonly #clips: Clip[] = []

  constructor({ height }: { width: number; height: number }) {
    this.#rows = Array.from({ length: height }, () => '')
  }

  write(x: number, y: number, text: string, { transformers }: { transformers: readonly Transformer[] }): void {
    if (text === '') return
    const { x1, x2, y1 = 0, y2 = this.#rows.length } = this.#clips.at(-1) ?? {}
    const lines = text.split('\n')
    const first = Math.max(0, y1 - y)
    for (const [index, line] of lines.slice(first, Math.max(first, y2 - y)).entries()) {
      const shown = x1 === undefined || x2 === undefined ? line : cut(line, x1 - x, x2 - x)
      const transformed = transformers.reduce((one, transform) => transform(one, index), shown)
      this.#put(Math.max(x, x1 ?? 0), y + first + index, transformed)
    }
  }

  clip(clip: Clip): void {
    const around = this.#clips.at(-1)
    this.#clips.push(around ? within(around, clip) : clip)
  }

  unclip(): void {
    this.#clips.pop()
  }

  get(): { output: string; height: number } {
    const lines = this.#rows.map((row) => (typeof row === 'string' ? row : styledCharsToString(row)))
    return { output: lines.join('\n'), height: lines.length }
  }

  #put(x: number, y: number, line: string): void {
    const before = this.#rows[y]
    if (before === undefined) return
    if (before === '') {
      this.#rows[y] = ' '.repeat(x) + line
      return
    }
    const cells = typeof before === 'string' ? cellsOf(before) : before
    while (cells.length < x) cells.push(blank)
    for (const [at, cell] of cellsOf(line).entries()) cells[x + at] = cell
    this.#rows[y] = cells
  }
}

function within(around: Clip, clip: Clip): Clip {
  const from = (one?: number, other?: number) => (one === undefined ? other : Math.max(one, other ?? one))
  const to = (one?: number, other?: number) => (one === undefined ? other : Math.min(one, other ?? one))
  return {
    x1: from(around.x1, clip.x1),
    x2: to(around.x2, clip.x2),
    y1: from(around.y1, clip.y1),
    y2: to(around.y2, clip.y2),
  }
}

function cellsOf(line: string): StyledChar[] {
  return tokenize(line).flatMap((char) => {
    const more = Math.max(1, stringWidth(char.value)) - 1
    return [char, ...Array.from({ length: more }, () => ({ ...char, value: '', fullWidth: false }))]
  })
}

function cut(line: string, from: number, to: number): string {
  return from <= 0 && stringWidth(line) <= to
    ? line
    : styledCharsToString(cellsOf(line).slice(Math.max(0, from), Math.max(0, to)))
}
