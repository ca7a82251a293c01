import { useEffect, useRef, useState } from 'react'
import { guardPage } from '../../act/places/navigate.ts'
import { setLeaving } from '../../base/state/form-leaving.ts'

/** Answers the question whether what was typed may go; null while it is not asked. */
type Answer = ((goes: boolean) => void) | null

/** A form in a page asks before its page is left with something typed in it, whichever way. `discard` takes back what was typed. */
export function useAsksFirst(isDirty: boolean, discard: () => void): Answer {
  const [answer, setAnswer] = useState<Answer>(null)
  const latest = useRef(discard)
  latest.current = discard
  useEffect(() => {
    if (!isDirty) return
    const ask = async () => {
      const goes = await new Promise<boolean>((resolve) =>
        setAnswer(() => (isSure: boolean) => {
          setAnswer(null)
          resolve(isSure)
        }),
      )
      if (goes) {
        // The page may be left before this form has heard that nothing is typed any more.
        stop()
        latest.current()
      }
      return goes
    }
    const stops = [setLeaving(ask), guardPage(ask)]
    const stop = () => {
      for (const end of stops) end()
    }
    return stop
  }, [isDirty])
  return answer
}
