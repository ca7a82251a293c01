import { WebSocket } from 'ws'
import type { RunProgress } from '../../../apps/server/src/act/runs/open-runs.ts'
import { createLiveSockets } from '../../../apps/server/src/api/ws/live-sockets.ts'
import { createUpgrades } from '../../../apps/server/src/api/ws/upgrades.ts'
import { createLiveStore, type LiveStore } from '../../../apps/server/src/fleet/live/live-store.ts'
import type { Caller } from '../../../apps/server/src/kernel/caller.ts'
import { createPort } from '../../../apps/server/src/kernel/net/port.ts'
import type { ServerRow } from '../../../apps/server/src/store/records/rows.ts'
import { callerFor, createTestBase, type TestBase } from './base.ts'
import { createTestClock, type TestClock } from './clock.ts'

const nothing = {}

/** A frame of either format, as parsed JSON. */
export type Frame = Record<string, unknown> & {
  versions?: Record<string, number>
  servers?: Record<string, unknown>[]
  samples?: number[][]
  now: number
}

interface Notice {
  resource: string
  ids: number[]
}

/** A client of the feed. */
export interface FeedClient {
  readonly ws: WebSocket
  /** All frames so far, without what they tell of who is connected. */
  readonly frames: readonly Frame[]
  /** The connections that came or went, as they were told. */
  readonly online: readonly number[]
  /** The n-th frame; waits for it. */
  frame(index: number): Promise<Frame>
  readonly closed: Promise<{ code: number; reason: string }>
  pings(): number
}

/** The websocket routes on a port of their own, with figures set by hand. */
export interface TestFeed {
  readonly clock: TestClock
  readonly base: TestBase
  readonly live: LiveStore
  readonly port: number
  progress(run: RunProgress): void
  /** Connects as this user, null for a guest. Errors: rejects if the upgrade is refused. */
  open(user: string | null, protocols?: string[], headers?: Record<string, string>): Promise<FeedClient>
  /** Servers as in the recordings: a public one, a hidden one, and the member's own, all reporting. */
  threeServers(): Promise<{ web: ServerRow; hidden: ServerRow; own: ServerRow }>
  close(): Promise<void>
}

/** What the servers of `threeServers` say of themselves. */
export const testHost = { platform: 'debian', platform_version: '12', mem_total: 100, boot_time: 1, version: '2.3.3' }

/** Starts a feed; the header `x-user` stands for signing in. */
export async function createTestFeed(): Promise<TestFeed> {
  const clock = createTestClock()
  const guest: Caller = { viewer: { id: null, username: '', role: 1, scopes: null }, session: null, address: '' }
  const base = await createTestBase(clock, ({ headers }) => {
    const user = base.accounts.byName(String(headers['x-user']))
    return user ? callerFor(user) : guest
  })
  const live = createLiveStore(base)
  let progress: (run: RunProgress) => void = () => undefined
  const sockets = createLiveSockets(
    base,
    { live, watched: { of: () => nothing, onChange: () => () => {} } },
    (listen) => {
      progress = listen
    },
  )
  const upgrades = createUpgrades(base, [sockets.route])
  const port = await createPort({
    unauthenticated: base.unauthenticated,
    host: '127.0.0.1',
    port: 0,
    http: (request, response) => void upgrades.answerPlain(request, response),
    upgrade: (request, socket, head) => void upgrades.accept(request, socket, head),
    grpc: (socket) => socket.destroy(),
  })
  await sockets.engine.start()
  const clients: WebSocket[] = []
  return {
    clock,
    base,
    live,
    port: port.address.port,
    progress: (run) => progress(run),
    async open(user, protocols = [], headers = {}) {
      const ws = new WebSocket(`ws://127.0.0.1:${port.address.port}/api/v1/ws/server`, protocols, {
        headers: { ...headers, ...(user && { 'x-user': user }) },
      })
      clients.push(ws)
      return connected(ws)
    },
    async threeServers() {
      const web = await base.addServer({ name: 'web', display_index: 5, public_note: 'note', owner_id: base.admin.id })
      const hidden = await base.addServer({ name: 'db', hide_for_guest: true, owner_id: base.admin.id })
      const own = await base.addServer({ name: 'alice-1', hide_for_guest: true, owner_id: base.member.id })
      for (const { id } of [web, hidden, own]) {
        live.reportHost(id, testHost)
        live.reportState(id, { cpu: 12.34, mem_used: 50 })
      }
      return { web, hidden, own }
    },
    async close() {
      for (const ws of clients) ws.terminate()
      await sockets.engine.stop()
      await port.close()
      await base.close()
    },
  }
}

async function connected(ws: WebSocket): Promise<FeedClient> {
  const frames: Frame[] = []
  let pings = 0
  const waiting = new Set<() => void>()
  const online: number[] = []
  ws.on('message', (data) => {
    const { records = [], ...frame } = JSON.parse(String(data)) as Frame & { records?: Notice[] }
    const others = records.filter(({ resource }) => resource !== 'online-user')
    for (const { ids } of records.filter((notice) => !others.includes(notice))) online.push(...ids)
    // Clients of one test come and go: what else happens is what it counts.
    if (records.length > 0 && others.length === 0 && Object.keys(frame).length === 1) return
    frames.push(others.length > 0 ? { ...frame, records: others } : frame)
    for (const wake of waiting) wake()
  })
  ws.on('ping', () => {
    pings += 1
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  await new Promise((resolve, reject) => ws.once('open', resolve).once('error', reject))
  return {
    ws,
    frames,
    online,
    closed,
    pings: () => pings,
    async frame(index) {
      while (frames.length <= index) await new Promise<void>((wake) => waiting.add(wake))
      return frames[index]!
    },
  }
}
