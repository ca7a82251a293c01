/** References are two visible ASCII characters, which Ink measures without its tables of emoji: `!!`, `!"`, … */
const base = 33
const digits = 94

/**
 * Stands in for painted rows while Ink lays them out: measuring and taking apart styled text made four tenths of the time of a frame.
 * A row that stays has the same reference in the next frame, so that React sees no change in it.
 */
export interface RowReferences {
  /** References of all rows of a frame, two cells each. */
  refer(rows: readonly string[]): string[]
  /** The frame with its rows in their places. */
  resolve(frame: string): string
  /** All rows are referred to anew, so that the next frame is written although it is the same. */
  forget(): void
}

/** Builds the references of one screen. They hold for the last two frames. */
export function createRowReferences(): RowReferences {
  let next = 0
  let before = new Map<string, string>()
  let now = new Map<string, string>()
  return {
    refer(rows) {
      before = now
      now = new Map()
      const used = new Set(before.values())
      const fresh = () => {
        do next = (next + 1) % (digits * digits)
        while (used.has(referenceOf(next)))
        return referenceOf(next)
      }
      return rows.map((row) => {
        const reference = now.get(row) ?? before.get(row) ?? fresh()
        now.set(row, reference)
        return reference
      })
    },
    forget() {
      now = new Map()
    },
    resolve(frame) {
      const rows = new Map([...before, ...now].map(([row, reference]) => [reference, row]))
      return frame
        .split('\n')
        .map((reference) => rows.get(reference) ?? '')
        .join('\n')
    },
  }
}

function referenceOf(number: number): string {
  return String.fromCharCode(base + Math.floor(number / digits), base + (number % digits))
}
