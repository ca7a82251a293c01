import { type LogEnd, type LogEntry, type LogFrame, logLimits, parseLogRequest, toLogFrame } from '@qd/protocol/logs'
import type { Machine } from '../../machine/machine.ts'
import { aborted } from '../../machine/waiting.ts'
import type { TaskHandler } from '../../wire/runner.ts'
import { attachRelay, parseStreamTask, type Relay, type RelayTiming } from '../../wire/streams/relay.ts'
import { createLineSplitter } from './lines.ts'
import { createOutbox, type OutboxLimits } from './outbox.ts'
import { fileProgram, journalProgram, type LogProblem, type LogProgram } from './sources.ts'

/** Longer lines of output are left out: as large as what the journal keeps of one. */
const maxLineBytes = 2 ** 20
const maxErrorBytes = 4_096
/** Characters of messages that wait to be put in order. */
const maxReversed = 8 * 2 ** 20
/** How `nice` says that there is no such program. */
const missing = 127

type Ended = { end: LogEnd; error: string }

const done: Ended = { end: 'done', error: '' }
const unsupported: Ended = { end: 'not supported', error: '' }

const lastLine = (errors: string) => (errors.trim().split('\n').at(-1) ?? '').slice(0, logLimits.name)

/** Runs the program until it or the stream ends. */
const run = async (
  { machine, relay, limits }: { machine: Machine; relay: Relay; limits: OutboxLimits },
  program: LogProgram,
  follow: boolean,
): Promise<Ended> => {
  const { args, lines, isReversed, source, filtered, parse, problemOf } = program
  const send = (frame: LogFrame) => relay.send(toLogFrame(frame))
  const { sleep, now } = machine
  const outbox = createOutbox({ send, drained: relay.drained, sleep, now }, lines, limits)
  const ended = new AbortController()
  let isTold = false
  const tell = () => {
    if (!isTold) send({ kind: 'source', source, filtered })
    isTold = true
  }
  const splitter = createLineSplitter(
    {
      takes: outbox.takes,
      onLine(line) {
        const entry = parse(line)
        if (!entry) return
        if (!isReversed) outbox.add(entry)
        else if (reversedSize + entry.text.length > maxReversed) outbox.skip()
        else {
          reversed.push(entry)
          reversedSize += entry.text.length
        }
      },
      onSkipped: outbox.skip,
    },
    maxLineBytes,
  )
  const reversed: LogEntry[] = []
  let reversedSize = 0
  let errors = ''
  let problem: LogProblem | null = null
  const request = { file: 'nice', args: ['-n', '10', ...args], folder: '', env: { LC_ALL: 'C' }, stdin: '' }
  const child = machine.runProgram(request, {
    onOutput(chunk) {
      tell()
      splitter.add(chunk)
    },
    onErrors(chunk) {
      errors = (errors + Buffer.from(chunk).toString('utf8')).slice(-maxErrorBytes)
      problem ??= isTold ? null : problemOf(errors)
      // It would wait for a journal.
      if (problem) child.kill()
    },
  })
  // A quiet host has said nothing yet, and is followed all the same.
  if (follow) void machine.sleep(quietMs, ended.signal).then(() => problem ?? (ended.signal.aborted || tell()))
  const end = await Promise.race([child.ended, aborted(relay.over)])
  ended.abort()
  if (!end) {
    child.kill()
    return done
  }
  if (problem) return { end: problem, error: '' }
  if ('error' in end || ('code' in end && end.code === missing && !isTold)) return unsupported
  splitter.close()
  tell()
  for (const entry of reversed.reverse()) outbox.add(entry)
  await Promise.race([outbox.flush(), aborted(relay.over)])
  return 'code' in end && end.code === 0 ? done : { end: 'failed', error: lastLine(errors) }
}

/** By then a journal that can’t be read has said so. */
const quietMs = 500

const files = ['syslog', 'messages']

/** Task 1121: log lines over a relayed stream, from the journal, else from a file of syslog. Source: docs/reference/agent-extensions.md. */
export const createLogsHandler = (
  machine: Machine,
  timing: RelayTiming,
  { folder = '/var/log', limits = logLimits }: { folder?: string; limits?: OutboxLimits } = {},
): TaskHandler => {
  let running = 0

  const read = async (relay: Relay, data: string): Promise<Ended> => {
    const request = parseLogRequest(JSON.parse(data))
    if ('wrong' in request) return { end: 'failed', error: `bad ${request.wrong}` }
    if (running > logLimits.readings) return { end: 'failed', error: 'too many readings' }
    const parts = { machine, relay, limits }
    const journal = await run(parts, journalProgram(request), request.follow)
    if (journal.end !== 'not supported') return journal
    const there = await machine.list(folder)
    const file = files.find((name) => there.includes(name))
    return file ? run(parts, fileProgram(`${folder}/${file}`, request, machine.wallNow), request.follow) : unsupported
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
