import { type Client, createClient, type Lifetime } from '@qd/core/api'
import type { ActionContext, Call, ResourceName, View } from '@qd/core/define'
import {
  createLive$,
  createRecords$,
  createRemembered,
  createSavedLists,
  createSession$,
  createView,
  type LiveStore,
  type Records,
  type SavedLists,
  type Session,
  type Waiting,
} from '@qd/core/store'
import { cookies, followNetwork, ports, setShownTimer } from '../ports.ts'

const baseUrl = location.origin

export const remembered = createRemembered(ports)

export const client: Client = createClient({
  ports,
  baseUrl,
  credentials: { kind: 'browser', cookies },
  lifetime: (remembered.read('main', 'lifetime') as Lifetime | undefined) ?? null,
  onLifetime: (lifetime) => remembered.write('main', 'lifetime', lifetime ?? undefined),
  onSessionEnd: () => session.ended(),
  onStepUp: (prove) => session.askProof(prove),
})

// Hosts are read again and again only for a page that is seen.
export const records: Records = createRecords$({ client, clock: { ...ports, setTimer: setShownTimer }, remembered })

export const live: LiveStore = createLive$({ ports, baseUrl, client, records, view: () => view })

followNetwork({
  disconnect: () => live.disconnect(),
  retryNow: () => live.state$.feed.status.peek() === 'lost' && live.retryNow(),
})

export const view: View = createView({ records, live, supports: (capability) => session.supports(capability) })

/** Whether a request for this list has ended, if only in an error. Observed. */
export function isAnswered(name: ResourceName): boolean {
  const { loadedAt, error } = records.list$(name)
  return loadedAt.get() !== null || error.get() !== null
}

export const session: Session = createSession$({
  client,
  storage: ports.storage,
  remembered,
  baseUrl,
  waiting: () => waiting,
  onWho(who) {
    records.open(who)
    live.stop()
    if (who !== null) live.start()
  },
})

export const savedLists: SavedLists = createSavedLists({ storage: ports.storage, who: () => session.viewer().id })

/** Confirmed calls that are not sent yet. */
type Unsent = Pick<Waiting, 'flush' | 'abandon'>

let waiting: Unsent = { flush: async () => undefined, abandon: () => undefined }

export function waitsIn(unsent: Unsent): void {
  waiting = unsent
}

export const flushWaiting = (): Promise<void> => waiting.flush()

// The frame names the user by the session, so it follows reads and saves of the account.
records.version$('account').onChange(() => {
  const [profile] = records.peekAll('account')
  if (profile) session.know(profile)
})

export function actionContext(): ActionContext {
  return { api: { send: (call: Call) => client.send(call) }, viewer: session.viewer(), view }
}

addEventListener('pagehide', () => remembered.flush())
