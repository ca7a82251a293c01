import { askedOf, keepAsking } from '@qd/core/actions'
import type { LiveState } from '@qd/core/api'
import type { AnyRow } from '@qd/core/define'
import { type AppError, errorTraits } from '@qd/core/errors'
import { predicateOf } from '@qd/core/targets'
import { sortRows } from '@qd/core/view'
import * as z from 'zod'
import type { Cli } from '../commands/cli.ts'
import { textFlag } from '../commands/command.ts'
import { askFor, namedRows, readSelection } from '../commands/pick.ts'
import { filterOf, recordsOf, type WatchedList } from '../commands/read.ts'
import { createLiveRows, type LiveRows } from './live-rows.ts'
import { createWriter } from './writers.ts'

const togetherMs = 100
const pageOfWatched = 200

/**
 * Prints a list and its changes until interrupted: redraws a terminal's table in place, otherwise appends. Reports a
 * lost connection on stderr and reconnects. Errors: AppError of the first answer or of a later rejected sign-in.
 */
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
  const states = filterOf(resource, flags, (await recordsOf(cli)).view())
  const listed =
    ids === null ? askFor(resource, { text, sort, most }) : isPaged ? { id: [...ids].join(',') } : undefined
  const asked = resource.host ? { on: textFlag(flags, 'on') ?? '' } : listed
  const abilities = await connection.client.capabilities()
  const supports = (capability: string) => abilities.includes(capability)
  const selection = readSelection(resource, text, { supports })
  const isMeant = (live: LiveRows) => {
    const fits = predicateOf(selection, resource, live.view)
    return (row: AnyRow) =>
      fits(row) &&
      (ids === null || ids.has(row.id)) &&
      Object.entries(states).every(([field, values]) => values.split(',').includes(String(row[field])))
  }
  const writer = createWriter(cli, watched)
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
    const live = createLiveRows({
      supports,
      io: cli.io,
      connection,
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
    cli.warn(cli.translator.t(isLost ? 'ui.cli.watch.lost' : 'ui.cli.watch.back'))
  }
}
