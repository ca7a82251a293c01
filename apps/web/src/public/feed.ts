import { type Observable, observable } from '@legendapp/state'
import { type Client, createLive, type LiveState } from '@qd/core/api'
import { plainText } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { groupMembers, liveFrame, siteStyle } from '@qd/core/schemas'
import { followNetwork, ports } from '../base/ports.ts'
import { client } from './client.ts'
import { type PublicServer, toPublic } from './public-server.ts'
import { type PublicIncident, type PublicService, readIncidents, readServices } from './watched.ts'

export interface PublicState {
  site: string
  language: string
  code: string
  /** Local epoch ms of the last frame; null before the first. */
  heardAt: number | null
  servers: readonly PublicServer[]
  groups: readonly { id: number; name: string; servers: readonly number[] }[]
  services: readonly PublicService[] | null
  incidents: readonly PublicIncident[]
  /** Slow data has been requested once, successfully or not. */
  isRead: boolean
  feed: LiveState
  isClosed: boolean
}

/** How often slowly changing data is requested. It is also requested when the page becomes visible again. */
const everyMs = 30_000

/** Starts the public feed: server frames every 2 s, all else every 30 s while the page is visible. */
export function startFeed(): Observable<PublicState> {
  const baseUrl = location.origin
  const state$ = observable<PublicState>({
    site: '',
    language: '',
    code: '',
    heardAt: null,
    servers: [],
    groups: [],
    services: null,
    incidents: [],
    isRead: false,
    feed: { status: 'off' },
    isClosed: false,
  })
  const read = () => void readSlow(client, state$)
  const feed = createLive({
    ports,
    baseUrl,
    onState(feedState) {
      const wasLost = state$.feed.peek().status === 'lost'
      state$.feed.set(feedState)
      if (wasLost && feedState.status === 'live') read()
    },
    onFrame(frame) {
      const parsed = liveFrame().safeParse(frame)
      if (!parsed.success) return
      const before = new Map(state$.servers.peek().map((server) => [server.id, server]))
      state$.assign({
        servers: parsed.data.servers.map((row) => toPublic(row, parsed.data.now, before.get(row.id))),
        heardAt: ports.now(),
      })
    },
  })
  feed.start()
  followNetwork(feed)
  read()
  const again = () => {
    if (!document.hidden) read()
    ports.setTimer(again, everyMs)
  }
  ports.setTimer(again, everyMs)
  document.addEventListener('visibilitychange', () => document.hidden || read())
  return state$
}

/** Parts fail separately; a part that can’t be read stays unchanged. */
async function readSlow(client: Client, state$: Observable<PublicState>): Promise<void> {
  const get = (path: string) => client.send({ method: 'GET', path })
  const parts = [
    get('setting').then((data) => {
      const { site_name: site = '', language = '', custom_code: code = '' } = siteStyle().parse(data).config
      state$.assign({ site: plainText(site), language, code })
    }),
    get('server-group').then((data) =>
      state$.groups.set(
        groupMembers()
          .parse(data)
          .map(({ group, servers }) => ({
            id: group.id,
            name: plainText(group.name),
            servers: servers ?? [],
          })),
      ),
    ),
    readServices(client).then((services) => state$.services.set(services)),
    readIncidents(client).then((incidents) => state$.incidents.set(incidents)),
  ]
  const results = await Promise.allSettled(parts)
  const isRefused = results.some(
    (result) => result.status === 'rejected' && toAppError(result.reason).code === 'unauthorized',
  )
  state$.assign({ isClosed: isRefused, isRead: true })
}

/** Whether everything that would move the page has arrived; until then nothing is shown. */
export const isComplete = ({ isRead, isClosed, heardAt, feed }: PublicState): boolean =>
  isRead && (isClosed || heardAt !== null || feed.status === 'lost')
