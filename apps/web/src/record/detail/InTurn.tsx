import {
  Children,
  createContext,
  isValidElement,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import { ports } from '../../base/ports.ts'

/** What waits longer than this no longer hides what follows. */
const timeoutMs = 3000

type Report = (isWaiting: boolean) => void

const Waiting = createContext<Report>(() => undefined)

/** Says that a part of `InTurn` waits for its first answer, which decides how much room it takes. */
export function useWaiting(isWaiting: boolean): void {
  const report = useContext(Waiting)
  useLayoutEffect(() => {
    report(isWaiting)
    return () => report(false)
  }, [report, isWaiting])
}

/** Shows each part once those above it have their first answers, so that none is pushed down while it is read. */
export function InTurn({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<readonly number[]>([])
  const [isPatient, setPatient] = useState(true)
  useEffect(() => ports.setTimer(() => setPatient(false), timeoutMs), [])
  const first = isPatient ? Math.min(...waiting) : Number.POSITIVE_INFINITY
  return Children.toArray(children).map((part, index) => (
    <Part key={isValidElement(part) ? part.key : index} index={index} isShown={index <= first} setWaiting={setWaiting}>
      {part}
    </Part>
  ))
}

function Part({
  index,
  isShown,
  setWaiting,
  children,
}: {
  index: number
  isShown: boolean
  setWaiting: (change: (before: readonly number[]) => readonly number[]) => void
  children: ReactNode
}) {
  const report = useMemo(
    (): Report => (isWaiting) =>
      setWaiting((before) => {
        if (before.includes(index) === isWaiting) return before
        return isWaiting ? [...before, index] : before.filter((one) => one !== index)
      }),
    [index, setWaiting],
  )
  return (
    <Waiting value={report}>
      <div style={{ display: 'contents', visibility: isShown ? 'inherit' : 'hidden' }}>{children}</div>
    </Waiting>
  )
}
