import { useEffect, useState } from 'react'
import { useUi } from './use-ui.ts'

/** The value one frame later: what follows the focus lets a key be drawn first. */
export function useLater<Value>(value: Value): Value {
  const { io } = useUi()
  const [later, setLater] = useState(value)
  useEffect(() => (value === later ? undefined : io.setTimer(() => setLater(value), 0)), [io, value, later])
  return later
}
