import type { Call } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { useEffect, useRef, useState } from 'react'
import { client } from '../../base/state/stores.ts'

/** What was asked of the server, as it stands: the last answer stays while a new one is on its way. */
export interface Asked<Answer> {
  answer: Answer | null
  error: AppError | null
  isLoading: boolean
}

/** Sends calls whenever `key` changes, none while it is empty, and reads what they answer; a question that nobody waits for any more is cancelled. */
export function useAnswer<Answer>(
  key: string,
  calls: readonly Call[],
  read: (answers: readonly unknown[]) => Answer,
): Asked<Answer> {
  const [state, setState] = useState<Asked<Answer>>({ answer: null, error: null, isLoading: true })
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
