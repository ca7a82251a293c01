import { mayPass, type Records } from '@qd/core/api'
import type { AnyRow } from '@qd/core/define'
import { AppError, firstItem } from '@qd/core/errors'
import { plainLines, plainText } from '@qd/core/fields'
import {
  ItemState,
  itemTones,
  NoAnswerReason,
  type RunCounts,
  type RunItem,
  RunState,
  runCounts,
  run as runResource,
  runStateOf,
  sortItems,
} from '@qd/core/resources'
import { padTo, widthOf } from '../../../base/output/width.ts'
import type { Cli } from '../command.ts'
import { itemLine, printItems } from '../printing/print-detail.ts'

const over: readonly ItemState[] = [ItemState.success, ItemState.failure, ItemState.noAnswer]

type RunFollower = ReturnType<typeof createFollower>

/** Results go to stderr, so that `qd exec web-1 -- cat notes > notes` holds only the notes. */
export function createFollower(cli: Cli) {
  const written = new Map<number, number>()
  const ended = new Set<number>()

  function writeItem(item: RunItem, upTo: number, head: string): void {
    const from = written.get(item.server_id) ?? 0
    written.set(item.server_id, upTo)
    const text = plainLines(item.output.slice(from, upTo)).replace(/\n$/, '')
    const lines = text.split('\n').map((line) => `${head}${line}\n`)
    cli.io.stdout.write(lines.join(''))
  }

  return {
    /** Prints new output; `before` is called once before the first. */
    write(row: AnyRow, before: () => void) {
      const items = row.items as readonly RunItem[]
      const cells = Math.max(0, ...items.map(({ server_name }) => widthOf(plainText(server_name))))
      let isFirst = true
      const begin = () => {
        if (isFirst) before()
        isFirst = false
      }
      for (const item of sortItems(items)) {
        const { server_id: id, server_name: name, state, output, cut_bytes: cut } = item
        if (ended.has(id)) continue
        const isOver = over.includes(state)
        const upTo = isOver ? output.length : output.lastIndexOf('\n') + 1
        const bar = cli.io.unicode ? '│' : '|'
        const head = items.length > 1 ? `${padTo(plainText(name) || `#${id}`, cells, 'left')} ${bar} ` : ''
        if (upTo > (written.get(id) ?? 0)) {
          begin()
          writeItem(item, upTo, head)
        }
        if (!isOver) continue
        begin()
        ended.add(id)
        if (cut > 0) cli.note(cli.err.paint('muted', cli.t('ui.run.cut', { count: cut })))
        cli.note(itemLine({ ...cli, out: cli.err }, item, cells))
      }
    },
  }
}

export interface WaitLimits {
  timeoutMs: number
  /** The default, which a planned rollout extends. */
  isUsual?: boolean
  pollMs: number
}

const manyServers = 10
/** The first polls are faster, for short commands. */
const firstPollMs = 150
const redrawMs = 250
const patientPollMs = 1000
const lineEveryMs = 5000
const clearLine = '\r\u001b[K'
/** Narrower terminals show the bar alone, so that the line never wraps. */
const roomForSums = 80

export const runOpenCode = 7

const exitCodes: Readonly<Record<ReturnType<typeof runStateOf>, number>> = {
  [RunState.success]: 0,
  [RunState.failure]: 1,
  [RunState.partial]: 6,
  [RunState.open]: runOpenCode,
  [RunState.paused]: runOpenCode,
}

/** 0 all succeeded, 1 all failed, 6 some failed, 7 open (spec decisions). */
export function exitCodeOfRun(row: AnyRow): number {
  return exitCodes[runStateOf(countsOf(row))]
}

/** Exit code without waiting: 0 sent to all, 1 to none, 6 to some. A server that refuses at once counts as not sent. */
export function exitCodeOfDispatch(row: AnyRow): number {
  const { no_answer, failure, ...sent } = countsOf(row)
  if (no_answer + failure === 0) return 0
  return exitCodes[Object.values(sent).some((count) => count > 0) ? RunState.partial : RunState.failure]
}

export function printDispatch({ note, err, translator }: Cli, row: AnyRow): void {
  const isOffline = ({ state, reason }: RunItem) => state === ItemState.noAnswer && reason === NoAnswerReason.offline
  const groupOf = (item: RunItem) => {
    const { state, reason } = item
    if (isOffline(item) || state === ItemState.failure) return state
    return state === ItemState.waiting || reason === NoAnswerReason.stopped ? ItemState.waiting : ItemState.sent
  }
  for (const state of [ItemState.sent, ItemState.waiting, ItemState.noAnswer, ItemState.failure] as const) {
    const group = itemsOf(row).filter((item) => groupOf(item) === state)
    if (group.length === 0) continue
    const names = group
      .slice(0, manyServers)
      .map(({ server_name }) => plainText(server_name))
      .join(', ')
    const more = group.length > manyServers ? ` ${err.mark('cut')}` : ''
    const label = translator.say(isOffline(firstItem(group)) ? 'ui.run.reasons.offline' : `ui.run.states.${state}`)
    const sum = translator.t('ui.cli.run.sum', { number: group.length, state: label })
    note(`${err.paint(itemTones[state], err.mark(state))} ${sum}: ${names}${more}`)
  }
}

/** Retries while the server is restarting or unreachable. Errors: permanent ones; `timeout` at `endsAt`, in ms. */
export async function readPatiently<T>(cli: Cli, endsAt: number, read: () => Promise<T>): Promise<T> {
  const { io } = cli
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await read()
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !mayPass(thrown)) throw thrown
      if (isFirst) cli.warn(cli.t('ui.cli.run.patient'))
      const leftMs = endsAt - io.now()
      if (leftMs <= 0) throw new AppError('timeout', {}, { cause: thrown })
      await cli.pause(Math.min(patientPollMs, leftMs))
    }
  }
}

/** As `readPatiently`, but answers `otherwise` at `endsAt`. */
export async function readUntil<T>(cli: Cli, endsAt: number, read: () => Promise<T>, otherwise: T): Promise<T> {
  return readPatiently(cli, endsAt, read).catch((thrown: unknown) => {
    if (thrown instanceof AppError && thrown.code === 'timeout') return otherwise
    throw thrown
  })
}

export async function pollUntil(
  cli: Cli,
  { timeoutMs, pollMs }: WaitLimits,
  step: (endsAt: number) => Promise<boolean>,
): Promise<void> {
  const endsAt = cli.io.now() + timeoutMs
  while (!(await step(endsAt))) {
    const leftMs = endsAt - cli.io.now()
    if (leftMs <= 0) return
    await cli.pause(Math.min(pollMs, leftMs))
  }
}

/** Waits for a run through server restarts, with progress on stderr; `follower` prints its output. Returns its last state. */
export async function waitForRun(
  cli: Cli,
  from: { records: Records; run: AnyRow; limits: WaitLimits; follower?: RunFollower | null },
): Promise<AnyRow> {
  const { io } = cli
  const { records, limits, follower = null } = from
  let row = from.run
  const startedAt = io.now()
  const endsAt = startedAt + limits.timeoutMs
  const progress = createProgress(cli, startedAt, follower === null)
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 2, limits.pollMs)) {
    const askedAt = io.now()
    row = await readUntil(cli, endsAt, () => records.get(runResource, row.id), row)
    // A long output takes time; don't poll without a pause.
    const restMs = Math.max(pollMs, 4 * (io.now() - askedAt))
    follower?.write(row, progress.clear)
    const leftMs = endsAt - io.now()
    const isOver = runStateOf(countsOf(row)) !== RunState.open
    progress.show(row, { isLast: isOver || leftMs <= 0 })
    if (isOver || leftMs <= 0) return row
    await cli.pause(Math.min(restMs, leftMs))
  }
}

export function printRun(cli: Cli, row: AnyRow, { isWritten }: { isWritten: boolean }): void {
  const items = itemsOf(row)
  if (!isWritten && (items.length <= manyServers || !cli.io.stdout.isTTY)) printItems(cli, items)
  const took = row.finished_at
    ? [cli.format.duration((Date.parse(String(row.finished_at)) - Date.parse(String(row.created_at))) / 1000)]
    : []
  const evidence = cli.err.paint('muted', cli.t('ui.cli.run.evidence', { id: String(row.id) }))
  cli.note([...sums(cli, countsOf(row)), ...took, evidence].join('   '))
}

function createProgress(cli: Cli, startedAt: number, tellsFailures: boolean) {
  const { io, err, flags, translator, format } = cli
  const isLive = io.stderr.isTTY && !flags.quiet
  const reported = new Set<number>()
  let shownAt = Number.NEGATIVE_INFINITY
  let shown = ''
  return {
    clear() {
      if (!isLive || shownAt === Number.NEGATIVE_INFINITY) return
      io.stderr.write(clearLine)
      shownAt = Number.NEGATIVE_INFINITY
    },
    show(row: AnyRow, { isLast }: { isLast: boolean }) {
      const counts = countsOf(row)
      const items = itemsOf(row)
      const now = io.now()
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
      const done = total - counts.sent - counts.running - counts.waiting
      const head = translator.t('ui.cli.run.progress', { done, total })
      const tail = [...sums(cli, counts), format.duration(Math.round((now - startedAt) / 1000))]
      if (isLive) {
        if (tellsFailures && items.length > manyServers) tellFailures(items)
        if (isLast) io.stderr.write(clearLine)
        else if (now - shownAt >= redrawMs) {
          io.stderr.write(
            `${clearLine}  ${[head, bar(done, total), ...(io.stderr.columns < roomForSums ? [] : tail)].join('   ')}`,
          )
          shownAt = now
        }
      } else if (!isLast && now - shownAt >= lineEveryMs) {
        const line = [head, ...sums(cli, counts)].join('   ')
        if (shown !== '' && line !== shown) cli.note(line)
        shown = line
        shownAt = now
      }
    },
  }

  function tellFailures(items: readonly RunItem[]): void {
    for (const item of sortItems(items)) {
      if (item.state !== 'failure' || reported.has(item.server_id)) continue
      reported.add(item.server_id)
      const lastLine = plainText(item.output.trimEnd().split('\n').at(-1) ?? '')
      io.stderr.write(`${clearLine}${itemLine({ ...cli, out: err }, item, widthOf(item.server_name))}   ${lastLine}\n`)
    }
  }

  function bar(done: number, total: number): string {
    const cells = 24
    const used = total === 0 ? 0 : Math.round((done / total) * cells)
    return err.paint('muted', err.mark('used').repeat(used) + err.mark('free').repeat(cells - used))
  }
}

function sums({ err, translator }: Cli, counts: RunCounts): string[] {
  return (['success', 'failure', 'running', 'sent', 'waiting', 'no_answer'] as const)
    .filter((state) => counts[state] > 0)
    .map(
      (state) =>
        `${err.paint(itemTones[state], err.mark(state))} ${translator.t('ui.cli.run.sum', { number: counts[state], state: translator.say(`ui.run.states.${state}`) })}`,
    )
}

function countsOf(row: AnyRow): RunCounts {
  return runCounts().parse(row.counts)
}

function itemsOf(row: AnyRow): readonly RunItem[] {
  return row.items as readonly RunItem[]
}
