import { emptyTail, type LogQuery, type LogTail, openLogTail } from '@qd/core/logs'
import { useEffect, useRef, useState } from 'react'
import { ports } from '../../../base/ports.ts'
import { client } from '../../../base/state/stores.ts'

/** Reads logs while it is shown; null reads nothing. A change of the query starts anew. */
export function useLogs(query: LogQuery | null, isPaused: boolean): LogTail {
  const [tail, setTail] = useState(emptyTail)
  const reading = useRef<ReturnType<typeof openLogTail> | null>(null)
  const key = JSON.stringify(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the query
  useEffect(() => {
    setTail(emptyTail)
    if (query === null) return
    const opened = openLogTail({ query, api: client, ports, baseUrl: location.origin, onChange: setTail })
    reading.current = opened
    return () => {
      reading.current = null
      opened.close()
    }
  }, [key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new reading begins paused too
  useEffect(() => reading.current?.pause(isPaused), [isPaused, key])
  return tail
}
