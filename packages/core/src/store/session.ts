import { type Observable, observable } from '@legendapp/state'
import * as z from 'zod'
import type { Client, Ports, Prove, SignedIn, SignedOut } from '../api/index.ts'
import { type AnyRow, lazy, type Viewer } from '../define/index.ts'
import { type AppError, toAppError } from '../errors.ts'
import { type Language, languages } from '../i18n/index.ts'
import { account } from '../resources/index.ts'
import type { Remembered } from './remembered.ts'
import type { Waiting } from './waiting.ts'

export type Theme = 'light' | 'dark' | 'system'
const themes: readonly Theme[] = ['light', 'dark', 'system']

export interface SessionState {
  /** `unknown` until the server responded; `ended`: a call was refused and the user is asked to sign in again, in place. */
  status: 'unknown' | 'guest' | 'signedIn' | 'ended'
  /** Why the user is unknown; null after a response. */
  error: AppError | null
  needsProof: boolean
  /** Null for a guest. Initially the last user’s, without secrets. */
  profile: AnyRow | null
  /** Empty for Nezha. */
  capabilities: readonly string[]
  theme: Theme
  /** The user’s choice; null: the site’s, else the environment’s. */
  language: Language | null
}

export interface Session {
  state$: Observable<SessionState>
  /** A guest while nobody is signed in. */
  viewer(): Viewer
  supports(capability: string): boolean
  /** Loads profile and capabilities. Errors: those of the client, except for a guest; also in the state. `keepsPage`: if the session ended, asks to sign in again in place. */
  start(options?: { keepsPage?: boolean }): Promise<void>
  know(profile: AnyRow): void
  /** Resumes waiting calls, unless another user signs in. Errors: `wrongPassword`, `codeRequired`, those of a wrong code and those of the client. */
  signIn(username: string, password: string, code?: string): Promise<SignedIn>
  /** Completes a provider’s sign-in with a code, or with the text from its page for a program without a browser. Errors: those of `Client.claim`. */
  claim(code: string | undefined, paste?: string): Promise<SignedIn>
  signOut(): Promise<SignedOut>
  /** For the client’s `onSessionEnd`: resolves true after the next sign-in, false if the user gives up. */
  ended(): Promise<boolean>
  giveUp(): void
  /** For the client’s `onStepUp`: resolves true after the password was accepted, false if declined. */
  askProof(prove: Prove): Promise<boolean>
  /** Errors: those of `Prove`; the password is then still needed. */
  giveProof(password: string, code?: string): Promise<SignedIn>
  declineProof(): void
  setTheme(theme: Theme): void
  setLanguage(language: Language): void
}

export interface SessionOptions {
  client: Pick<Client, 'get' | 'login' | 'claim' | 'logout' | 'capabilities'>
  storage: Ports['storage']
  remembered: Remembered
  baseUrl: string
  /** Scopes of an API token; absent for a session. */
  scopes?: readonly string[]
  /** `isFirst`: what was loaded before it was known who is signed in is theirs too. */
  onWho(who: string | null, isFirst: boolean): void
  /** Pending actions: sent before a sign-out, dropped when another user signs in. */
  waiting(): Pick<Waiting, 'flush' | 'abandon'>
}

const rememberedProfile = lazy(() => z.object({ server: z.string(), row: z.looseObject({ id: z.int() }) }))
const rememberedAbilities = lazy(() => z.object({ server: z.string(), names: z.array(z.string()) }))

/** Shows the last user immediately. */
export function createSession$(options: SessionOptions): Session {
  const { client, storage, remembered, baseUrl, scopes = null, onWho, waiting } = options
  const saved = rememberedProfile().safeParse(remembered.read('main', 'profile'))
  const lastProfile =
    saved.success && saved.data.server === baseUrl ? account.read.safeParse(saved.data.row).data : undefined
  // The server most likely still has its last known capabilities, so the page doesn’t shift.
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

  const show = (profile: AnyRow | null, isFirst = false) => {
    const next = profile && `${baseUrl}#${profile.id}`
    if (next === who) return
    if (who !== null) waiting().abandon()
    who = next
    onWho(who, isFirst)
  }
  show(lastProfile ?? null)

  let proof: { prove: Prove; settle(isProved: boolean): void } | null = null
  const settleProof = (isProved: boolean) => {
    state$.needsProof.set(false)
    proof?.settle(isProved)
    proof = null
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
  const signedInAs = (profile: AnyRow, isFirst = false) => {
    const before = state$.profile.peek()?.id
    const { agent_secret: _secret, ...row } = profile
    remembered.write('main', 'profile', { server: baseUrl, row })
    remembered.write('main', 'capabilities', { server: baseUrl, names: [...state$.capabilities.peek()] })
    state$.assign({ status: 'signedIn', profile: { ...profile }, error: null })
    show(profile, isFirst)
    // A refused call must not be repeated in another user’s name.
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
      // Awaited below; prevents an unhandled rejection until then.
      profile.catch(() => undefined)
      try {
        state$.capabilities.set([...(await client.capabilities())])
        const row = await profile
        signedInAs(row, state$.status.peek() === 'unknown' && who === null)
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
      const signedIn = await client.login(username, password, code)
      signedInAs(await fetchProfile())
      return signedIn
    },
    async claim(code, paste) {
      const signedIn = await client.claim(paste ?? null, code)
      signedInAs(await fetchProfile())
      return signedIn
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
        proof = { prove, settle }
        state$.needsProof.set(true)
      }),
    async giveProof(password, code) {
      const signedIn = await proof?.prove(password, code)
      settleProof(true)
      return signedIn ?? { recoveryLeft: null }
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
