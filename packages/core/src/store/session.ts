import { type Observable, observable } from '@legendapp/state'
import * as z from 'zod'
import type { Client, Ports, Prove, SignedIn, SignedOut } from '../api/index.ts'
import { type AnyRow, lazy, type Viewer } from '../define/index.ts'
import { type AppError, toAppError } from '../errors/index.ts'
import { type Language, languages } from '../i18n/index.ts'
import { account } from '../resources/index.ts'
import type { Remembered } from './remembered.ts'
import type { Waiting } from './waiting.ts'

/** Light, dark, or as the system says. */
export type Theme = 'light' | 'dark' | 'system'
const themes: readonly Theme[] = ['light', 'dark', 'system']

/** Who uses the program and how. */
export interface SessionState {
  /** `unknown` until the server answered; `ended`: a call was refused and the person is asked to sign in again, in place. */
  status: 'unknown' | 'guest' | 'signedIn' | 'ended'
  /** Why it could not be asked who is signed in; null once it was answered. */
  error: AppError | null
  /** A call waits for the password, which the server wants once more. */
  needsProof: boolean
  /** The signed-in person's record; null for a guest. First the one of last time, without its secrets. */
  profile: AnyRow | null
  /** What this server can do beyond the contract; empty for an existing dashboard. */
  capabilities: readonly string[]
  theme: Theme
  /** Chosen by the person; null: the site's, else the environment's. */
  language: Language | null
}

/** The session of one program with one server. */
export interface Session {
  state$: Observable<SessionState>
  /** Who looks, for permissions; a guest while nobody is signed in. */
  viewer(): Viewer
  /** True when the server announced the capability. */
  supports(capability: string): boolean
  /** Asks who is signed in and what the server can do. Errors: those of the client, but for a guest, who is none; they are in the state too. `keepsPage`: where nobody is signed in any more, the person is asked to sign in again in place. */
  start(options?: { keepsPage?: boolean }): Promise<void>
  /** Takes the record of the signed-in person as it was read elsewhere; anybody else's is passed over. */
  know(profile: AnyRow): void
  /** Calls that waited for a sign-in go on, unless it is somebody else's. Errors: `wrongPassword`, `codeRequired`, those of a wrong code and those of the client. */
  signIn(username: string, password: string, code?: string): Promise<SignedIn>
  /** Gives the code that a sign-in by a provider waits for, or what its page showed for a program without a browser. Errors: those of `Client.claim`. */
  claim(code: string | undefined, paste?: string): Promise<SignedIn>
  /** Sends first what waits. */
  signOut(): Promise<SignedOut>
  /** For the client's `onSessionEnd`: marks the session as ended and resolves true after the next sign-in, false when it is given up. */
  ended(): Promise<boolean>
  /** The person does not want to sign in again. */
  giveUp(): void
  /** For the client's `onStepUp`: resolves true after the password was taken, false when it is not given. */
  askProof(prove: Prove): Promise<boolean>
  /** Gives the password that is asked for, and the code. Errors: those of `Prove`; it is still asked for then. */
  giveProof(password: string, code?: string): Promise<SignedIn>
  /** The person does not want to give it. */
  declineProof(): void
  setTheme(theme: Theme): void
  setLanguage(language: Language): void
}

/** What the session is built from. `onWho` is told whose records are to be shown: null for a guest. */
export interface SessionOptions {
  client: Pick<Client, 'get' | 'login' | 'claim' | 'logout' | 'capabilities'>
  storage: Ports['storage']
  remembered: Remembered
  /** Tells servers apart in what is remembered. */
  baseUrl: string
  /** Scopes of an API token; absent for a session. */
  scopes?: readonly string[]
  onWho(who: string | null): void
  /** What is agreed to and not sent yet: sent before a sign-out, given up when somebody else is signed in. */
  waiting(): Pick<Waiting, 'flush' | 'abandon'>
}

const rememberedProfile = lazy(() => z.object({ server: z.string(), row: z.looseObject({ id: z.int() }) }))
const rememberedAbilities = lazy(() => z.object({ server: z.string(), names: z.array(z.string()) }))

/** Builds the session and shows at once who it was last time. */
export function createSession$(options: SessionOptions): Session {
  const { client, storage, remembered, baseUrl, scopes = null, onWho, waiting } = options
  const saved = rememberedProfile().safeParse(remembered.read('main', 'profile'))
  const lastProfile =
    saved.success && saved.data.server === baseUrl ? account.read.safeParse(saved.data.row).data : undefined
  // What the server could do last time it most likely still can: the frame stands as it will be.
  const abilities = rememberedAbilities().safeParse(remembered.read('main', 'capabilities')).data
  const state$ = observable<SessionState>({
    status: 'unknown',
    error: null,
    needsProof: false,
    profile: lastProfile ?? null,
    capabilities: lastProfile && abilities?.server === baseUrl ? abilities.names : [],
    theme: themes.find((theme) => theme === storage.get('vite-ui-theme')) ?? 'system',
    language: languages.find((language) => language === storage.get('language')) ?? null,
  })
  let who: string | null = null
  let settle: ((isBack: boolean) => void) | null = null

  const show = (profile: AnyRow | null) => {
    const next = profile && `${baseUrl}#${profile.id}`
    if (next === who) return
    if (who !== null) waiting().abandon()
    who = next
    onWho(who)
  }
  show(lastProfile ?? null)

  let asked: { prove: Prove; settle(isProved: boolean): void } | null = null
  const settleProof = (isProved: boolean) => {
    state$.needsProof.set(false)
    asked?.settle(isProved)
    asked = null
  }

  const answer = (isBack: boolean) => {
    settle?.(isBack)
    settle = null
  }
  const becomeGuest = () => {
    settleProof(false)
    remembered.clear()
    state$.assign({ status: 'guest', profile: null, error: null })
    show(null)
    answer(false)
  }
  const ended = (): Promise<boolean> => {
    if (state$.status.peek() !== 'signedIn') return Promise.resolve(false)
    state$.status.set('ended')
    return new Promise((resolve) => {
      settle = resolve
    })
  }
  const fetchProfile = () => client.get(account, 0, { probe: true })
  const signedInAs = (profile: AnyRow) => {
    const before = state$.profile.peek()?.id
    const { agent_secret: _secret, ...row } = profile
    remembered.write('main', 'profile', { server: baseUrl, row })
    remembered.write('main', 'capabilities', { server: baseUrl, names: [...state$.capabilities.peek()] })
    state$.assign({ status: 'signedIn', profile: { ...profile }, error: null })
    show(profile)
    // A call that was refused belongs to who made it: nothing is sent in somebody else's name.
    answer(before === undefined || before === profile.id)
  }
  return {
    state$,
    viewer() {
      const { profile } = state$.get()
      if (!profile) return { id: null, username: '', role: 0, scopes }
      return { id: profile.id, username: String(profile.username), role: Number(profile.role), scopes }
    },
    supports: (capability) => state$.capabilities.get().includes(capability),
    async start({ keepsPage = false } = {}) {
      const profile = fetchProfile()
      // Awaited below; until then its failure is nobody's surprise.
      profile.catch(() => undefined)
      try {
        state$.capabilities.set([...(await client.capabilities())])
        signedInAs(await profile)
      } catch (thrown) {
        const error = toAppError(thrown)
        if (error.code === 'unauthorized') {
          if (!keepsPage || state$.status.peek() !== 'signedIn') return becomeGuest()
          void ended()
          return
        }
        state$.error.set(error)
        throw error
      }
    },
    know(profile) {
      if (profile.id === state$.profile.peek()?.id) signedInAs(profile)
    },
    async signIn(username, password, code) {
      const told = await client.login(username, password, code)
      signedInAs(await fetchProfile())
      return told
    },
    async claim(code, paste) {
      const told = await client.claim(paste ?? null, code)
      signedInAs(await fetchProfile())
      return told
    },
    async signOut() {
      await waiting().flush()
      const left = await client.logout()
      becomeGuest()
      return left
    },
    ended,
    giveUp: becomeGuest,
    askProof: (prove) =>
      new Promise((settle) => {
        asked = { prove, settle }
        state$.needsProof.set(true)
      }),
    async giveProof(password, code) {
      const told = await asked?.prove(password, code)
      settleProof(true)
      return told ?? { recoveryLeft: null }
    },
    declineProof: () => settleProof(false),
    setTheme(theme) {
      storage.set('vite-ui-theme', theme)
      state$.theme.set(theme)
    },
    setLanguage(language) {
      storage.set('language', language)
      state$.language.set(language)
    },
  }
}
