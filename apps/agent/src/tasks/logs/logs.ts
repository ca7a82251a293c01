import {
  type LogEnd,
  type LogEntry,
  type LogFrame,
  type LogRequest,
  logLimits,
  parseLogRequest,
  toLogFrame,
} from '@qd/protocol/logs'
import type { Machine } from '../../machine/machine.ts'
import { aborted } from '../../machine/waiting.ts'
import type { TaskHandler } from '../../wire/runner.ts'
import { attachRelay, parseStreamTask, type Relay, type RelayTiming } from '../../wire/streams/relay.ts'
import { createOutbox, type OutboxLimits } from './outbox.ts'
import { containerProgram, fileProgram, journalProgram, type LogProblem, type LogProgram } from './sources.ts'

/** Longer lines of output are left out: as large as what the journal keeps of one. */
const maxLineBytes = 2 ** 20
const maxErrorBytes = 4_096
/** Characters of messages that wait to be put in order. */
const maxReversed = 8 * 2 ** 20
/** How `nice` says that there is no such program. */
const missing = 127

const lineEnd = 10

/** Where the lines of a program’s output go. */
interface LineSink {
  /** Whether the next line is wanted. Costs little, unlike a line that is read. */
  takes(): boolean
  onLine(line: string): void
  /** A line that wasn’t wanted, or was too long. */
  onSkipped(): void
}

/** Splits output at line ends. Lines that aren’t wanted are found and counted, not read; of a line without an end at most `maxBytes` are kept. */
const createLineSplitter = ({ takes, onLine, onSkipped }: LineSink, maxBytes: number) => {
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

type Ended = { end: LogEnd; error: string }

const done: Ended = { end: 'done', error: '' }
const unsupported: Ended = { end: 'not supported', error: '' }

const lastLine = (errors: string) => (errors.trim().split('\n').at(-1) ?? '').slice(0, logLimits.name)

/** Runs the program until it or the stream ends. */
const run = async (
  { machine, relay, limits }: { machine: Machine; relay: Relay; limits: OutboxLimits },
  program: LogProgram,
  follow: boolean,
): Promise<{ ended: Ended; isPrinted: boolean }> => {
  const { args, lines, isReversed, hasErrorLines, source, filtered, parse, problemOf } = program
  const send = (frame: LogFrame) => relay.send(toLogFrame(frame))
  const { sleep, now } = machine
  const outbox = createOutbox({ send, drained: relay.drained, sleep, now }, lines, limits)
  const ended = new AbortController()
  let isTold = false
  const tell = () => {
    if (!isTold) send({ kind: 'source', source, filtered })
    isTold = true
  }
  const reversed: LogEntry[] = []
  let reversedSize = 0
  let hasOutput = false
  let errors = ''
  let problem: LogProblem | null = null
  const take = (entry: LogEntry) => {
    if (!isReversed) outbox.add(entry)
    else if (reversedSize + entry.text.length > maxReversed) outbox.skip()
    else {
      reversed.push(entry)
      reversedSize += entry.text.length
    }
  }
  const addError = (text: string) => {
    errors = (errors + text).slice(-maxErrorBytes)
    problem ??= hasOutput ? null : problemOf(errors)
    // It would wait for a journal.
    if (problem) child.kill()
  }
  const split = (onOther: (line: string) => void) =>
    createLineSplitter(
      {
        takes: outbox.takes,
        onLine(line) {
          const entry = parse(line)
          if (!entry) return onOther(line)
          hasOutput = true
          tell()
          take(entry)
        },
        onSkipped: outbox.skip,
      },
      maxLineBytes,
    )
  const output = split(() => undefined)
  const errorLines = split((line) => addError(`${line}\n`))
  const request = { file: 'nice', args: ['-n', '10', ...args], folder: '', env: { LC_ALL: 'C' }, stdin: '' }
  const child = machine.runProgram(request, {
    onOutput(chunk) {
      hasOutput = true
      tell()
      output.add(chunk)
    },
    onErrors(chunk) {
      if (hasErrorLines) errorLines.add(chunk)
      else addError(Buffer.from(chunk).toString('utf8'))
    },
  })
  // A quiet host has said nothing yet, and is followed all the same.
  if (follow) void machine.sleep(quietMs, ended.signal).then(() => problem ?? (ended.signal.aborted || tell()))
  const end = await Promise.race([child.ended, aborted(relay.over)])
  ended.abort()
  if (!end) {
    child.kill()
    return { ended: done, isPrinted: true }
  }
  output.close()
  errorLines.close()
  const cannot = (ended: Ended) => ({ ended, isPrinted: false })
  if (problem) return cannot({ end: problem, error: problem === 'failed' ? lastLine(errors) : '' })
  if ('error' in end || ('code' in end && end.code === missing && !hasOutput)) return cannot(unsupported)
  tell()
  for (const entry of reversed.reverse()) outbox.add(entry)
  await Promise.race([outbox.flush(), aborted(relay.over)])
  return {
    ended: 'code' in end && end.code === 0 ? done : { end: 'failed', error: lastLine(errors) },
    isPrinted: true,
  }
}

/** By then a journal that can’t be read has said so. */
const quietMs = 500

const files = ['syslog', 'messages']
const engines = ['docker', 'podman'] as const

/** The path of a file below a folder, wherever its links lead; null if it isn’t one. */
const fileBelow = async ({ fileSystem }: Machine, folder: string, name: string): Promise<string | null> => {
  try {
    const root = await fileSystem.realPath(folder)
    const path = await fileSystem.realPath(
      `${folder}/${name.startsWith(`${folder}/`) ? name.slice(folder.length) : name}`,
    )
    const { kind } = await fileSystem.status(path)
    return path.startsWith(`${root}/`) && kind === 'file' ? path : null
  } catch {
    return null
  }
}

/**
 * Task 1121: log lines over a relayed stream: of a container, of a file below `folder`, else from the journal or a file of syslog. Source:
 * docs/reference/agent-extensions.md.
 */
export const createLogsHandler = (
  machine: Machine,
  timing: RelayTiming,
  { folder = '/var/log', limits = logLimits }: { folder?: string; limits?: OutboxLimits } = {},
): TaskHandler => {
  let running = 0

  /** The programs that may print what is asked for. The first that can does. */
  async function* programsFor(request: LogRequest): AsyncGenerator<LogProgram> {
    const { container, file } = request
    const filesOf = (path: string) => fileProgram(path, request, machine.wallNow)
    if (container) {
      // No container has a slash in its name.
      const engine = engines.find((one) => container.startsWith(`${one}/`))
      const named = engine ? { ...request, container: container.slice(engine.length + 1) } : request
      for (const one of engine ? [engine] : engines) yield containerProgram(one, named)
    } else if (file) {
      const path = await fileBelow(machine, folder, file)
      if (path) yield filesOf(path)
    } else {
      yield journalProgram(request)
      const there = await machine.list(folder)
      const name = files.find((one) => there.includes(one))
      if (name) yield filesOf(`${folder}/${name}`)
    }
  }

  const read = async (relay: Relay, data: string): Promise<Ended> => {
    const request = parseLogRequest(JSON.parse(data))
    if ('wrong' in request) return { end: 'failed', error: `bad ${request.wrong}` }
    if (running > logLimits.readings) return { end: 'failed', error: 'too many readings' }
    let why: Ended = request.file ? { end: 'failed', error: `no such file in ${folder}` } : unsupported
    for await (const program of programsFor(request)) {
      const { ended, isPrinted } = await run({ machine, relay, limits }, program, request.follow)
      if (isPrinted) return ended
      if (ended.end !== 'not supported') why = ended
    }
    return why
  }

  return async (task, { openStream }) => {
    const relay = attachRelay(machine, openStream(), parseStreamTask(task.data), timing)
    void relay.keepAlive()
    running += 1
    try {
      relay.send(toLogFrame({ kind: 'end', ...(await read(relay, task.data)) }))
    } finally {
      running -= 1
    }
    await relay.end()
  }
}
