import { fstatSync, writeSync } from 'node:fs'
import { isatty } from 'node:tty'
import { getSystemErrorMap } from 'node:util'

export interface Output {
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
  readonly colorDepth: 0 | 4 | 8 | 24
  write(text: string): void
  writeBytes(bytes: Uint8Array): Promise<void>
  flush(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

export interface OutputFacts {
  env: Environment
  args: readonly string[]
}

type Sink = Pick<Output, 'write' | 'writeBytes' | 'flush'>

/** Standard output. A failed write is an error of the command (exit code 1), never a short file with exit code 0. */
export function standardOutput(facts: OutputFacts): Output {
  const stream = once(() => process.stdout)
  return outputOf(1, stream, isFile(1) ? fileSink(1) : streamSink(stream), facts)
}

/** Failures are dropped: there is no place left to report them. */
export function standardError(facts: OutputFacts): Output {
  const stream = once(() => process.stderr)
  const sink = isFile(2) ? fileSink(2) : streamSink(stream)
  const dropped = async (write: Promise<void>) => write.catch(() => undefined)
  return outputOf(
    2,
    stream,
    {
      write(text) {
        try {
          sink.write(text)
        } catch {}
      },
      writeBytes: (bytes) => dropped(sink.writeBytes(bytes)),
      flush: () => dropped(sink.flush()),
    },
    facts,
  )
}

/** Opens lazily, because opening costs milliseconds at start. */
function once(open: () => NodeJS.WriteStream): () => NodeJS.WriteStream {
  let opened: NodeJS.WriteStream | undefined
  return () => {
    opened ??= open()
    return opened
  }
}

function outputOf(fd: 1 | 2, stream: () => NodeJS.WriteStream, sink: Sink, facts: OutputFacts): Output {
  const isTTY = isatty(fd)
  const { env } = facts
  return {
    ...sink,
    isTTY,
    get columns() {
      return (isTTY && stream().columns) || Number(env.COLUMNS) || 80
    },
    get rows() {
      return (isTTY && stream().rows) || Number(env.LINES) || 24
    },
    colorDepth: colorDepthOf({ isTTY, ...facts }),
  }
}

/** Whether a descriptor is a file or device, not a terminal, pipe or socket. */
function isFile(fd: number): boolean {
  if (isatty(fd)) return false
  try {
    const stats = fstatSync(fd)
    return !stats.isFIFO() && !stats.isSocket()
  } catch {
    return false
  }
}

/** Node’s own stream takes a short write, as on a nearly full disk, for a whole one. */
function fileSink(fd: number): Sink {
  const writeWhole = (bytes: Uint8Array) => {
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
    } catch (thrown) {
      throw outputFailed(thrown)
    }
  }
  return {
    write: (text) => writeWhole(Buffer.from(text)),
    writeBytes: async (bytes) => writeWhole(bytes),
    flush: async () => undefined,
  }
}

function streamSink(open: () => NodeJS.WriteStream): Sink {
  let failure: Error | undefined
  let opened: NodeJS.WriteStream | undefined
  const stream = () => {
    opened ??= open().on('error', (error: NodeJS.ErrnoException) => {
      // A reader that leaves early (`| head -1`) has what it wanted: not an error (behavior C-24).
      if (error.code === 'EPIPE') process.exit(0)
      failure = outputFailed(error)
    })
    return opened
  }
  const written = (data: string | Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      if (failure) reject(failure)
      else stream().write(data, (error) => (error ? reject(outputFailed(error)) : resolve()))
    })
  return {
    write(text) {
      if (failure) throw failure
      stream().write(text)
    },
    writeBytes: written,
    flush: async () => (failure || opened ? written('') : undefined),
  }
}

/** The build bundles this class twice, so `isOutputFailed` recognizes it by name. */
class OutputFailed extends Error {
  override readonly name = 'OutputFailed'
}

export const isOutputFailed = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && thrown.name === 'OutputFailed'

function outputFailed(thrown: unknown): Error {
  const { errno, message } = thrown as NodeJS.ErrnoException
  const [, text] = (errno !== undefined && getSystemErrorMap().get(errno)) || []
  return new OutputFailed(text ?? message, { cause: thrown })
}

/** How much color may be used: `--no-color` and then FORCE_COLOR decide, then NO_COLOR, TERM=dumb and the terminal itself (behavior T-13). */
export function colorDepthOf({ isTTY, env, args }: OutputFacts & { isTTY: boolean }): Output['colorDepth'] {
  if (args.includes('--no-color')) return 0
  const forced = env.FORCE_COLOR
  if (forced !== undefined && forced !== '') {
    return forced === '0' || forced === 'false' ? 0 : forced === '3' ? 24 : forced === '2' ? 8 : 4
  }
  if (env.NO_COLOR || env.TERM === 'dumb' || !isTTY) return 0
  if (/truecolor|24bit/i.test(env.COLORTERM ?? '')) return 24
  return /256/.test(env.TERM ?? '') ? 8 : 4
}
