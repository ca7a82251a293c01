import type { Call, Trial } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import type { FormModel } from '@qd/core/view'
import { useEffect, useRef, useState } from 'react'
import { ports } from '../../base/ports.ts'
import { client } from '../../base/state/stores.ts'
import { sampleServer$ } from '../notifiers/sample.ts'

/** Values that changed are asked about once they have been at rest for so long. */
const restMs = 400

/** What came of the last try: when it was asked (epoch ms), and the server's answer or why there is none. */
export type Tried = { at: number } & ({ kind: 'answer'; answer: unknown } | { kind: 'error'; error: AppError })

/** A trial as it stands. */
export interface TrialState {
  tried: Tried | null
  isAsking: boolean
  /** Fields that have to be right first; empty if it can be asked. */
  wrong: readonly string[]
  ask: () => void
}

/** The call for a form's values as typed, and which of the fields it sends are wrong. */
function trialCall(form: FormModel, trial: Trial): { call: Call; wrong: readonly string[] } {
  const call = trial.call(form.sent(), form.base?.id ?? null, sampleServer$.peek())
  const sent = new Set(Object.keys((call.body ?? {}) as object))
  return {
    call,
    wrong: form
      .problems()
      .map(({ field }) => field)
      .filter((field) => sent.has(field)),
  }
}

/** Asks the server about a form's values: by itself when they come to rest, or when told to. A newer question cancels the one before. */
export function useTrial(form: FormModel, trial: Trial, isOffered: boolean): TrialState {
  const [tried, setTried] = useState<Tried | null>(null)
  const [isAsking, setAsking] = useState(false)
  const running = useRef<AbortController | null>(null)
  const { call, wrong } = trialCall(form, trial)
  const send = async (asked: Call) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setAsking(true)
    const at = ports.now()
    const result = await client.send(asked, { signal: own.signal }).then(
      (answer): Tried => ({ at, kind: 'answer', answer }),
      (thrown): Tried => ({ at, kind: 'error', error: toAppError(thrown) }),
    )
    if (own.signal.aborted) return
    setTried(result)
    setAsking(false)
  }
  const latest = useRef(send)
  latest.current = send
  const isTyped = trial.when === 'typed' && isOffered && wrong.length === 0
  const question = isTyped ? JSON.stringify(call) : null
  useEffect(() => {
    if (question === null) return
    const timer = setTimeout(() => void latest.current(JSON.parse(question) as Call), restMs)
    return () => clearTimeout(timer)
  }, [question])
  useEffect(() => () => running.current?.abort(), [])
  return { tried, isAsking, wrong, ask: () => void send(call) }
}
