import type { Call } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../base/state/stores.ts'

/** The last answer stays while a new one loads. */
export interface AnswerState<Answer> {
  answer: Answer | null
  error: AppError | null
  isLoading: boolean
}

/** Sends calls when `key` changes, none while it is empty. A new key cancels pending requests. */
export function useAnswer<Answer>(
  key: string,
  calls: readonly Call[],
  read: (answers: readonly unknown[]) => Answer,
): AnswerState<Answer> {
  const [state, setState] = useState<AnswerState<Answer>>({ answer: null, error: null, isLoading: true })
  const latest = useRef({ calls, read })
  latest.current = { calls, read }
  useEffect(() => {
    if (key === '') return
    const own = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    const { calls: sent, read: readAll } = latest.current
    const answered = Promise.all(sent.map((call) => client.send(call, { signal: own.signal }))).then(readAll)
    answered.then(
      (answer) => own.signal.aborted || setState({ answer, error: null, isLoading: false }),
      (thrown: unknown) =>
        own.signal.aborted ||
        setState((before) => ({ answer: before.answer, error: toAppError(thrown), isLoading: false })),
    )
    return () => own.abort()
  }, [key])
  return state
}
