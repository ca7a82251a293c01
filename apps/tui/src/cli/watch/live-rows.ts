import { observe } from '@legendapp/state'
import { type PageQuery, same } from '@qd/core/actions'
import type { LiveState } from '@qd/core/api'
import type { Resource } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { createLive$, createRecords$, createRemembered, createView, watchWithNeeds } from '@qd/core/store'
import type { Connection } from '../../base/connect/connection.ts'
import { socketPorts } from '../../base/connect/socket.ts'
import type { Io } from '../../base/io.ts'

export type LiveRows = ReturnType<typeof createLiveRows>

export interface LiveRowsOptions {
  io: Pick<Io, 'now' | 'random' | 'setTimer' | 'env'>
  connection: Pick<Connection, 'client' | 'settings'>
  resource: Resource
  query: PageQuery | undefined
  supports(capability: string): boolean
  onChange(): void
  onFeed(state: LiveState): void
}

/** Poll interval for servers without change events. */
const askEveryMs = 5000
const nothingKept = { get: () => null, set: () => undefined, delete: () => undefined }

/** Over core's stores and feed, initially stopped. */
export function createLiveRows(options: LiveRowsOptions) {
  const { io, connection, resource, query, onChange, onFeed } = options
  const { client, settings } = connection
  const ports = { ...socketPorts(io), storage: nothingKept }
  const records = createRecords$({ client, clock: ports, remembered: createRemembered(ports) })
  const live = createLive$({ ports, baseUrl: settings.url, client, records, view: () => view })
  const view = createView({ records, live, supports: options.supports })
  const list$ = records.list$(resource.name)
  const stops: (() => void)[] = []
  let isStopped = false
  let feed: LiveState = { status: 'off' }
  const refresh = () => records.refresh(resources.map(({ name }) => name))

  const hearFeed = (state: LiveState) => {
    if (same(state, feed)) return
    feed = state
    onFeed(state)
  }
  const askAgain = () => {
    stops.push(
      io.setTimer(() => {
        void refresh()
        askAgain()
      }, askEveryMs),
    )
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
