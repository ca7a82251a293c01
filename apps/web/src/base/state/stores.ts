import { type Client, createClient, type Lifetime } from '@qd/core/api'
import type { ActionContext, Call, View } from '@qd/core/define'
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
import { cookies, followNetwork, ports } from '../ports.ts'

const baseUrl = location.origin

/** What is remembered between two visits. */
export const remembered = createRemembered(ports)

/** Talks to the server this page came from. */
export const client: Client = createClient({
  ports,
  baseUrl,
  credentials: { kind: 'browser', cookies },
  lifetime: (remembered.read('main', 'lifetime') as Lifetime | undefined) ?? null,
  onLifetime: (lifetime) => remembered.write('main', 'lifetime', lifetime ?? undefined),
  onSessionEnd: () => session.ended(),
  onStepUp: (prove) => session.askProof(prove),
})

/** The records of all resources. */
export const records: Records = createRecords$({ client, clock: ports, remembered })

/** Live figures, merged into the records. */
export const live: LiveStore = createLive$({ ports, baseUrl, client, records, view: () => view })

followNetwork({
  disconnect: () => live.disconnect(),
  retryNow: () => live.state$.feed.status.peek() === 'lost' && live.retryNow(),
})

/** What derived values look at. Inside an observing context its answers stay true. */
export const view: View = createView({ records, live, supports: (capability) => session.supports(capability) })

/** Who is signed in. */
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

/** Columns and filters that people keep, in this browser. */
export const savedLists: SavedLists = createSavedLists({ storage: ports.storage, who: () => session.viewer().id })

/** What is agreed to and not sent yet. */
type Unsent = Pick<Waiting, 'flush' | 'abandon'>

/** Nothing, until the first action brings the runner (`runner.ts`). */
let waiting: Unsent = { flush: async () => undefined, abandon: () => undefined }

/** The runner says what waits. */
export function waitsIn(unsent: Unsent): void {
  waiting = unsent
}

/** Sends what waits. */
export const flushWaiting = (): Promise<void> => waiting.flush()

// The frame names the person by the session, which follows what was read or saved of the account.
records.version$('account').onChange(() => {
  const [profile] = records.peekAll('account')
  if (profile) session.know(profile)
})

/** What an action is given now. */
export function actionContext(): ActionContext {
  return { api: { send: (call: Call) => client.send(call) }, viewer: session.viewer(), view }
}

addEventListener('pagehide', () => remembered.flush())
