import {
  createLogSession,
  type LogHost,
  type LogLine,
  type LogQuery,
  type LogSession,
  type LogState,
  withLines,
} from '@qd/core/logs'
import { useEffect, useRef, useState } from 'react'
import { ports } from '../../../base/ports.ts'
import { client } from '../../../base/state/stores.ts'

/** A reading as it is shown. While paused, lines are kept back; `waiting` says how many. */
export interface Logs {
  readonly lines: readonly LogLine[]
  readonly left: number
  readonly hosts: readonly LogHost[]
  readonly state: LogState
  readonly waiting: number
}

const empty: Logs = { lines: [], left: 0, hosts: [], state: { status: 'opening' }, waiting: 0 }

/** Reads logs while it is shown; null reads nothing. A change of the query starts anew. */
export function useLogs(query: LogQuery | null, isPaused: boolean): Logs {
  const [logs, setLogs] = useState(empty)
  const held = useRef<readonly LogLine[]>([])
  const paused = useRef(isPaused)
  paused.current = isPaused
  const key = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the query
  useEffect(() => {
    setLogs(empty)
    held.current = []
    if (query === null) return
    const session: LogSession = createLogSession({
      query,
      api: client,
      ports,
      baseUrl: location.origin,
      onLines(more, missing) {
        if (paused.current) held.current = withLines(held.current, more)
        setLogs(({ lines, left, ...rest }) => ({
          ...rest,
          lines: paused.current ? lines : withLines(lines, more),
          left: left + missing,
          waiting: held.current.length,
        }))
      },
      onHosts: (hosts) => setLogs((now) => ({ ...now, hosts })),
      onState: (state) => setLogs((now) => ({ ...now, state })),
    })
    session.start()
    return () => session.close()
  }, [key])
  useEffect(() => {
    if (isPaused || held.current.length === 0) return
    const more = held.current
    held.current = []
    setLogs((now) => ({ ...now, lines: withLines(now.lines, more), waiting: 0 }))
  }, [isPaused])
  return logs
}
