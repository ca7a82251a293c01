import { observe } from '@legendapp/state'
import { askedOf, keepAsking, type PageQuery, same } from '@qd/core/actions'
import { isIn, type LiveState, pageOf, readSelection } from '@qd/core/api'
import { type AnyRow, type Resource, titleOf, type View } from '@qd/core/define'
import { type AppError, errorTraits } from '@qd/core/errors'
import { resources } from '@qd/core/resources'
import { createLive$, createRecords$, createRemembered, createView, watchWithNeeds } from '@qd/core/store'
import { predicateOf } from '@qd/core/targets'
import { recordJson, sortRows } from '@qd/core/view'
import * as z from 'zod'
import { socketPorts } from '../../base/connect/socket.ts'
import { type Cli, textFlag, type WatchedList } from '../commands/command.ts'
import { namedRows } from '../commands/pick.ts'
import { countLine, machineLines, printValues, tableLines } from '../commands/printing/show.ts'
import { recordsOf, statesOf } from '../commands/read.ts'

const togetherMs = 100
const pageOfWatched = 200

/** Prints a list and its changes until interrupted; reconnects. Errors: of the first answer, or of a later rejected sign-in. */
export async function watchList(
  cli: Cli,
  watched: WatchedList,
  onStop: (stop: (code: number) => void) => void,
): Promise<number> {
  z.config({ jitless: false })
  const { resource, flags, limit, text, sort } = watched
  await cli.texts()
  const connection = await cli.connect()
  const isPaged = resource.wire.paging === 'server'
  const most = isPaged && limit === Number.POSITIVE_INFINITY ? pageOfWatched : limit
  const ids = await namedIds(cli, watched)
  const states = statesOf(resource, flags, (await recordsOf(cli)).view())
  const listed =
    ids === null ? pageOf(resource, { text, sort, most }) : isPaged ? { id: [...ids].join(',') } : undefined
  const asked = resource.host ? { on: textFlag(flags, 'on') ?? '' } : listed
  const abilities = await connection.client.capabilities()
  const supports = (capability: string) => abilities.includes(capability)
  const selection = readSelection(resource, text, { supports })
  const isMeant = (live: LiveRows) => {
    const fits = predicateOf(selection, resource, live.view)
    return (row: AnyRow) => fits(row) && (ids === null || ids.has(row.id)) && isIn(states, row)
  }
  const isDrawn = watched.choice.kind === 'table' && cli.io.stdout.isTTY
  const writer = (isDrawn ? drawnInPlace : lineByLine)(cli, watched)
  const stopAsking = keepAsking(connection.client, askedOf(resource, watched.fields, { supports }), cli.io.setTimer)
  return new Promise((resolve, reject) => {
    let isWaiting = false
    let isOver = false
    const end = (settle: () => void) => {
      if (isOver) return
      isOver = true
      stopAsking()
      live.stop()
      settle()
    }
    const write = async () => {
      isWaiting = false
      if (isOver) return
      const error = live.error()
      if (error && !mayPass(error, live.isReady())) return end(() => reject(error))
      if (!live.isReady()) return
      const meant = live.rows().filter(isMeant(live))
      const rows = sortRows(resource, meant, sort, live.view).slice(0, most)
      const isFull = rows.length >= most
      await writer.write({ rows, total: live.total(), view: live.view, isFull })
    }
    const live = createLiveRows(cli, connection, {
      supports,
      resource,
      query: asked && { ...asked, ...states },
      onChange() {
        if (isWaiting) return
        isWaiting = true
        cli.io.setTimer(() => void write().catch((thrown: unknown) => end(() => reject(thrown))), togetherMs)
      },
      onFeed: sayFeed(cli, () => writer.restart()),
    })
    onStop((code) => end(() => resolve(code)))
    live.start()
  })
}

async function namedIds(cli: Cli, { resource, flags }: WatchedList): Promise<ReadonlySet<number> | null> {
  const text = textFlag(flags, 'ids')
  if (text === undefined) return null
  const rows = await namedRows({ cli, resource, records: await recordsOf(cli, flags), text, empty: 'leaveOut' })
  return new Set(rows.map(({ id }) => id))
}

/** After the first rows, only a rejection ends the watch. */
function mayPass({ code }: AppError, isReady: boolean): boolean {
  return isReady && (errorTraits[code].retry || code === 'unreachable')
}

function sayFeed(cli: Cli, before: () => void): (state: LiveState) => void {
  let isLost = false
  return ({ status }) => {
    if (status !== 'lost' && status !== 'live') return
    if ((status === 'lost') === isLost) return
    isLost = status === 'lost'
    before()
    cli.warn(cli.t(isLost ? 'ui.cli.watch.lost' : 'ui.cli.watch.back'))
  }
}

type LiveRows = ReturnType<typeof createLiveRows>

/** Poll interval for servers without change events. */
const askEveryMs = 5000
const nothingKept = { get: () => null, set: () => undefined, delete: () => undefined }

function createLiveRows(
  { io }: Cli,
  connection: Awaited<ReturnType<Cli['connect']>>,
  from: {
    resource: Resource
    query: PageQuery | undefined
    supports(capability: string): boolean
    onChange(): void
    onFeed(state: LiveState): void
  },
) {
  const { resource, query, supports, onChange, onFeed } = from
  const { client, settings } = connection
  const ports = { ...socketPorts(io), storage: nothingKept }
  const records = createRecords$({ client, clock: ports, remembered: createRemembered(ports) })
  const live = createLive$({ ports, baseUrl: settings.url, client, records, view: () => view })
  const view = createView({ records, live, supports })
  const list$ = records.list$(resource.name)
  const stops: (() => void)[] = []
  let isStopped = false
  let feed: LiveState = { status: 'off' }
  const hearFeed = (state: LiveState) => {
    if (same(state, feed)) return
    feed = state
    onFeed(state)
  }
  const askAgain = (): void => {
    const again = () => {
      void records.refresh(resources.map(({ name }) => name))
      askAgain()
    }
    stops.push(io.setTimer(again, askEveryMs))
  }
  return {
    view,
    rows: () => records.peekAll(resource.name),
    total: () => list$.peek().pages?.all ?? list$.peek().total ?? list$.peek().ids.length,
    isReady: () => list$.peek().loadedAt !== null,
    error: () => list$.peek().error,
    start() {
      if (query) void records.load(resource.name, query)
      stops.push(watchWithNeeds(records, resource))
      stops.push(
        observe(() => {
          live.state$.heardAt.get()
          live.now()
          for (const { name } of resources) records.version$(name).get()
          list$.get()
          onChange()
        }),
      )
      stops.push(observe(() => hearFeed(live.state$.feed.get())))
      live.start()
      client.capabilities().then(
        (can) => !can.includes('live-changes') && !isStopped && askAgain(),
        () => undefined,
      )
    },
    stop() {
      isStopped = true
      for (const stop of stops) stop()
      live.stop()
    },
  }
}

/** `isFull`: truncated, so missing rows may still exist. */
interface Snapshot {
  rows: readonly AnyRow[]
  total: number
  view: View
  isFull: boolean
}

interface Writer {
  write(now: Snapshot): Promise<void>
  /** Other output came in between: start a new table below. */
  restart(): void
}

const readerOf = (view: View) => ({ read: async <T>(take: (view: View) => T) => take(view) })

function drawnInPlace(cli: Cli, { resource, choice }: WatchedList): Writer {
  const { stdout } = cli.io
  let drawn: readonly string[] = []
  let columns = stdout.columns
  const isWide = 'isWide' in choice && choice.isWide === true
  const header = 'header' in choice && choice.header
  return {
    async write({ rows, total, view }) {
      const room = Math.max(1, stdout.rows - (header ? 3 : 2))
      const shown = { resource, rows: rows.slice(0, room), records: readerOf(view) }
      const table = await tableLines(cli, shown, { header, isWide })
      const lines = [...table, cli.out.paint('muted', countLine(cli, shown, total))]
      if (drawn.length === lines.length && lines.every((line, at) => line === drawn[at])) return
      const isResized = columns !== stdout.columns
      columns = stdout.columns
      const home = isResized ? '\x1b[2J\x1b[H' : drawn.length > 0 ? `\x1b[${drawn.length}F` : ''
      stdout.write(`${home}${lines.map((line) => `${line}\x1b[K\n`).join('')}\x1b[J`)
      drawn = lines
    },
    restart() {
      drawn = []
    },
  }
}

function lineByLine(cli: Cli, { resource, choice }: WatchedList): Writer {
  const known = new Map<number, { text: string | undefined; row: AnyRow; json: Record<string, unknown> }>()
  let isFirst = true
  return {
    restart: () => undefined,
    async write({ rows, view, isFull }) {
      const isText = 'header' in choice
      const shown = { resource, rows, records: readerOf(view) }
      const header = isText && choice.header
      const lines = isText ? await machineLines(cli, shown, { kind: choice.kind, header }) : []
      const [head, body] = header ? [lines.slice(0, 1), lines.slice(1)] : [[], lines]
      const jsons = isText ? [] : rows.map((row) => recordJson(resource, row, choice.fields, view))
      const changed: number[] = []
      for (const [at, row] of rows.entries()) {
        const text = isText ? body[at]?.replace(/ +/g, ' ') : JSON.stringify(jsons[at])
        if (known.get(row.id)?.text !== text) changed.push(at)
        known.set(row.id, { text, row, json: jsons[at] ?? {} })
      }
      const here = new Set(rows.map(({ id }) => id))
      const left = [...known.entries()].filter(([id]) => !here.has(id))
      for (const [id] of left) known.delete(id)
      const gone = isFull ? [] : left.map(([, one]) => one)
      if (isText)
        cli.io.stdout.write(
          [...(isFirst ? head : []), ...changed.flatMap((at) => body[at] ?? [])].map((line) => `${line}\n`).join(''),
        )
      else {
        const kind = choice.kind === 'json' ? 'jsonl' : choice.kind
        const values = [
          ...changed.map((at) => jsons[at]!),
          ...(kind === 'name' ? [] : gone.map(({ json }) => ({ ...json, gone: true }))),
        ]
        if (kind !== 'yaml') await printValues(cli, kind, values)
        else
          for (const value of values) {
            cli.print('---')
            await printValues(cli, kind, value)
          }
      }
      isFirst = false
      if (isText || choice.kind === 'name')
        for (const { row } of gone) cli.note(cli.t('ui.cli.watch.gone', { name: titleOf(resource, row), id: row.id }))
    },
  }
}
