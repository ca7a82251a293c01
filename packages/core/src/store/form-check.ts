import type { Cancel, Clock, SendOptions } from '../api/index.ts'
import type { Call, ServerCheck } from '../define/index.ts'
import { type AppError, toAppError } from '../errors.ts'
import type { FormModel } from '../view/index.ts'

/** Last try: when it was sent (epoch ms), and its answer or error. */
export type Tried = { readonly at: number } & (
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'error'; readonly error: AppError }
)

export type FormCheck = ReturnType<typeof createFormCheck>

const restMs = 400

/** Tries a form’s values on the server, after a pause or on demand. `server`: the one chosen for examples. */
export function createFormCheck(
  form: () => Pick<FormModel, 'sent' | 'base' | 'problems'>,
  check: ServerCheck,
  options: {
    supports(capability: string): boolean
    send(call: Call, options: SendOptions): Promise<unknown>
    clock: Clock
    server?(): number | null
    onChange(): void
  },
) {
  let tried: Tried | null = null
  let running: AbortController | null = null
  let followed: string | null = null
  let cancel: Cancel = () => undefined

  /** The call, and the key of why it can’t be tried now. */
  const next = () => {
    const { sent, base, problems } = form()
    const call = check.call(sent(), base?.id ?? null, options.server?.())
    if (!options.supports(check.capability)) return { call, reason: 'ui.reasons.capability' as const }
    const fields = Object.keys((call.body ?? {}) as object)
    const isWrong = problems().some(({ field }) => fields.includes(field))
    return { call, reason: isWrong ? ('ui.serverCheck.wrong' as const) : null }
  }
  const send = async (asked: Call) => {
    running?.abort()
    const own = new AbortController()
    running = own
    options.onChange()
    const at = options.clock.now()
    const result = await options.send(asked, { signal: own.signal }).then(
      (answer): Tried => ({ at, kind: 'answer', answer }),
      (thrown: unknown): Tried => ({ at, kind: 'error', error: toAppError(thrown) }),
    )
    if (own.signal.aborted) return
    tried = result
    running = null
    options.onChange()
  }
  return {
    check,
    reason: () => next().reason,
    tried: () => tried,
    isAsking: () => running !== null,
    /** Called after changes of the form: tries it once typing pauses. */
    follow() {
      if (check.when !== 'typed') return
      const { call, reason } = next()
      const question = reason === null ? JSON.stringify(call) : null
      if (question === followed) return
      followed = question
      cancel()
      if (question !== null) cancel = options.clock.setTimer(() => void send(call), restMs)
    },
    ask() {
      const { call, reason } = next()
      if (running === null && reason === null) void send(call)
    },
    stop() {
      cancel()
      running?.abort()
      running = null
      followed = null
    },
  }
}
