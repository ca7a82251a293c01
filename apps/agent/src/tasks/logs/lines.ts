const lineEnd = 10

/** Where the lines of a program’s output go. */
export interface LineSink {
  /** Whether the next line is wanted. Costs little, unlike a line that is read. */
  takes(): boolean
  onLine(line: string): void
  /** A line that wasn’t wanted, or was too long. */
  onSkipped(): void
}

/** Splits output at line ends. Lines that aren’t wanted are found and counted, not read; of a line without an end at most `maxBytes` are kept. */
export const createLineSplitter = ({ takes, onLine, onSkipped }: LineSink, maxBytes: number) => {
  let rest: Buffer[] = []
  let length = 0
  const end = (last: Buffer) => {
    if (length + last.length > maxBytes || !takes()) onSkipped()
    else onLine((rest.length === 0 ? last : Buffer.concat([...rest, last])).toString('utf8'))
    rest = []
    length = 0
  }
  return {
    add(bytes: Uint8Array): void {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let from = 0
      for (let at = chunk.indexOf(lineEnd); at >= 0; at = chunk.indexOf(lineEnd, from)) {
        end(chunk.subarray(from, at))
        from = at + 1
      }
      const tail = chunk.subarray(from)
      length += tail.length
      if (length > maxBytes) rest = []
      else if (tail.length > 0) rest.push(tail)
    },
    /** The last line may have no end. */
    close(): void {
      if (length > 0) end(Buffer.alloc(0))
    },
  }
}
