import { type Observable, observable } from '@legendapp/state'
import { createClient, createLive, type LiveState } from '@qd/core/api'
import { type AnyRow, plainText } from '@qd/core/define'
import { isOnline, serverGroup, setting } from '@qd/core/resources'
import { type LiveFrame, liveFrame } from '@qd/core/schemas'
import { cookies, ports } from '../ports.ts'

/** One server as a visitor sees it. `load`: CPU in percent, null without data. */
export interface PublicServer {
  id: number
  name: string
  note: string
  isOnline: boolean
  /** It has reported once. */
  isKnown: boolean
  load: number | null
  lastActive: string | null
}

/** What the public page knows. */
export interface PublicState {
  site: string
  /** Epoch ms of the last frame by this machine's clock; null before the first. */
  heardAt: number | null
  servers: readonly PublicServer[]
  groups: readonly { name: string; servers: readonly number[] }[]
  feed: LiveState
  /** The site shows itself only to who is signed in. */
  isClosed: boolean
}

/** Starts the feed of a visitor: full frames each 2 s, groups and the site's name once. */
export function startFeed(): Observable<PublicState> {
  const baseUrl = location.origin
  const state$ = observable<PublicState>({
    site: '',
    heardAt: null,
    servers: [],
    groups: [],
    feed: { status: 'off' },
    isClosed: false,
  })
  const client = createClient({ ports, baseUrl, credentials: { kind: 'browser', cookies } })
  const feed = createLive({
    ports,
    baseUrl,
    onState: (feedState) => state$.feed.set(feedState),
    onFrame(frame) {
      const parsed = liveFrame.safeParse(frame)
      if (parsed.success)
        state$.assign({
          servers: parsed.data.servers.map((row) => toPublic(row, parsed.data.now)),
          heardAt: ports.now(),
        })
    },
  })
  feed.start()
  const groupOf = (row: AnyRow) => ({ name: plainText(String(row.name)), servers: row.servers as readonly number[] })
  void client.list(setting).then(
    ({ rows }) => state$.site.set(String(rows[0]?.site_name ?? '')),
    () => undefined,
  )
  void client.list(serverGroup).then(
    ({ rows }) => state$.groups.set(rows.map(groupOf)),
    () => state$.isClosed.set(true),
  )
  return state$
}

function toPublic(row: LiveFrame['servers'][number], now: number): PublicServer {
  const lastActive = row.last_active.startsWith('0001') || row.last_active === '' ? null : row.last_active
  return {
    id: row.id,
    name: plainText(row.name),
    note: row.public_note ?? '',
    isOnline: isOnline({ last_active: lastActive }, now),
    isKnown: lastActive !== null || Boolean(row.host.mem_total),
    load: row.host.mem_total ? (row.state.cpu ?? 0) : null,
    lastActive,
  }
}
