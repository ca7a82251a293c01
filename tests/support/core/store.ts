import {
  createClient,
  createCookieJar,
  type FetchRequest,
  type OpenSocket,
  type Ports,
  type SocketHandlers,
} from '../../../packages/core/src/api/index.ts'
import {
  createLive$,
  createRecords$,
  createRemembered,
  createRunner,
  createSession$,
  createView,
} from '../../../packages/core/src/store/index.ts'
import { createTimers } from './timers.ts'

/** A socket that a test opened, with what the client told it. */
interface FakeSocket extends SocketHandlers {
  url: string
  protocols: readonly string[]
  isClosed: boolean
}

/** An outside world that stands still until the test moves it: a clock, a storage, sockets, and a server of plain functions. */
export function createWorld() {
  const clock = createTimers(Date.parse('2026-11-20T13:32:07Z'))
  const stored = new Map<string, string>()
  const sockets: FakeSocket[] = []
  const requests: FetchRequest[] = []
  const routes = new Map<string, (body: unknown) => unknown>()
  const held = new Set<string>()
  let release: (() => void)[] = []

  const openSocket: OpenSocket = ({ url, protocols }, handlers) => {
    const socket = { ...handlers, url, protocols, isClosed: false }
    sockets.push(socket)
    return {
      send: () => undefined,
      close() {
        socket.isClosed = true
      },
    }
  }
  const ports: Ports = {
    now: clock.now,
    random: () => 0,
    setTimer: clock.setTimer,
    storage: {
      get: (key) => stored.get(key) ?? null,
      set: (key, value) => void stored.set(key, value),
      delete: (key) => void stored.delete(key),
    },
    openSocket,
    async fetch(request) {
      requests.push(request)
      const name = `${request.method} ${request.url.replace('http://fleet/api/v1/', '')}`
      if (held.has(name)) await new Promise<void>((resolve) => release.push(resolve))
      if (request.signal.aborted) throw new Error('aborted')
      const route = routes.get(name)
      const body = route
        ? route(request.body === undefined ? undefined : JSON.parse(request.body))
        : { error: '404 Not Found' }
      return {
        status: route ? 200 : 404,
        headers: { get: () => null },
        setCookies: [],
        text: async () => JSON.stringify(body),
      }
    },
  }
  const client = createClient({
    ports,
    baseUrl: 'http://fleet',
    credentials: { kind: 'jar', jar: createCookieJar() },
    retries: 0,
  })
  return {
    ports,
    client,
    sockets,
    requests,
    stored,
    calls: () => requests.map(({ method, url }) => `${method} ${url.replace('http://fleet/api/v1/', '')}`),
    /** Answers a route with `data`, or with what a function of the body makes of it. */
    route: (name: string, data: unknown) =>
      routes.set(name, (body) => {
        const made = typeof data === 'function' ? data(body) : data
        return typeof made === 'object' && made !== null && 'error' in made ? made : { success: true, data: made }
      }),
    /** Keeps answers of a route back until `let go`. */
    hold: (name: string) => held.add(name),
    letGo() {
      held.clear()
      for (const go of release) go()
      release = []
    },
    /** Moves the clock and runs what was due, in order. */
    pass(ms: number) {
      for (const _ of clock.passing(ms));
    },
  }
}

export function createConsole(world: ReturnType<typeof createWorld>) {
  const remembered = createRemembered(world.ports)
  const records = createRecords$({ client: world.client, clock: world.ports, remembered })
  const session = createSession$({
    client: world.client,
    storage: world.ports.storage,
    remembered,
    baseUrl: 'http://fleet',
    onWho: (who) => records.open(who),
    waiting: () => runner.waiting,
  })
  const live = createLive$({
    ports: world.ports,
    baseUrl: 'http://fleet',
    client: world.client,
    records,
    view: () => view,
  })
  const view = createView({ records, live, supports: session.supports })
  const runner = createRunner({ client: world.client, clock: world.ports, records, session, view })
  return { session, records, runner }
}
