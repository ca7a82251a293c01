import type { Call, ServerCheck } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import type { FormModel } from '@qd/core/view'
import { useEffect, useRef, useState } from 'react'
import { ports } from '../../base/ports.ts'
import { client } from '../../base/state/stores.ts'
import { sampleServer$ } from '../notifiers/sample.ts'

const restMs = 400

/** Last try: when it was sent (epoch ms), and its answer or error. */
export type Tried = { at: number } & ({ kind: 'answer'; answer: unknown } | { kind: 'error'; error: AppError })

export interface ServerCheckState {
  tried: Tried | null
  isAsking: boolean
  wrong: readonly string[]
  ask: () => void
}

function checkCall(form: FormModel, check: ServerCheck): { call: Call; wrong: readonly string[] } {
  const call = check.call(form.sent(), form.base?.id ?? null, sampleServer$.peek())
  const sent = new Set(Object.keys((call.body ?? {}) as object))
  return {
    call,
    wrong: form
      .problems()
      .map(({ field }) => field)
      .filter((field) => sent.has(field)),
  }
}

/** Tries a form’s values on the server, after a pause or on demand. A newer request cancels the last. */
export function useServerCheck(form: FormModel, check: ServerCheck, isSupported: boolean): ServerCheckState {
  const [tried, setTried] = useState<Tried | null>(null)
  const [isAsking, setAsking] = useState(false)
  const running = useRef<AbortController | null>(null)
  const { call, wrong } = checkCall(form, check)
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
  const isTyped = check.when === 'typed' && isSupported && wrong.length === 0
  const question = isTyped ? JSON.stringify(call) : null
  useEffect(() => {
    if (question === null) return
    const timer = setTimeout(() => void latest.current(JSON.parse(question) as Call), restMs)
    return () => clearTimeout(timer)
  }, [question])
  useEffect(() => () => running.current?.abort(), [])
  return { tried, isAsking, wrong, ask: () => void send(call) }
}
