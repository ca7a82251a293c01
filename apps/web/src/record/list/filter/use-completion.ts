import type { Resource } from '@qd/core/define'
import { type Completion, type Completions, completions } from '@qd/core/targets'
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { view } from '../../../base/state/stores.ts'

export type CompletionState = ReturnType<typeof useCompletion>

/** Completes a filter in the selection language. `put` sets its text. */
export function useCompletion(
  resource: Resource,
  input: RefObject<HTMLInputElement | null>,
  put: (text: string) => void,
) {
  const [found, setFound] = useState<Completions | null>(null)
  const [chosen, setChosen] = useState(-1)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current === null) return
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })
  const completeAt = (text: string, place: number) => {
    const next = completions(resource, text, place, view)
    const items = next.items.filter((item) => item.text !== text.slice(next.from, next.to))
    setFound(items.length === 0 ? null : { ...next, items })
    setChosen(-1)
  }
  const update = () => {
    const { value = '', selectionStart = 0 } = input.current ?? {}
    completeAt(value, selectionStart ?? value.length)
  }
  const close = () => setFound(null)
  const take = (item: Completion) => {
    if (!found || !input.current) return
    const { value } = input.current
    const rest = value.slice(found.to)
    const done = item.kind !== 'term' && rest === '' ? `${item.text} ` : item.text
    const text = value.slice(0, found.from) + done + rest
    caret.current = found.from + done.length
    put(text)
    if (item.kind === 'term') completeAt(text, caret.current)
    else close()
  }
  const items = found?.items ?? []
  return {
    items,
    chosen,
    update,
    close,
    take,
    /** Arrows move, Tab and Enter take, Escape closes. Returns whether the key was handled. */
    press({ key, shiftKey, nativeEvent }: KeyboardEvent) {
      if (nativeEvent.isComposing) return false
      if (found === null) {
        if (key !== 'ArrowDown') return false
        update()
        return true
      }
      const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[key]
      if (step) setChosen((chosen + step + items.length + (chosen < 0 && step < 0 ? 1 : 0)) % items.length)
      else if (key === 'Escape') close()
      else if (key === 'Tab' && !shiftKey) take(items[Math.max(0, chosen)]!)
      else if (key === 'Enter' && chosen >= 0) take(items[chosen]!)
      else {
        if (key.length > 1 && key !== 'Backspace' && key !== 'Delete') close()
        return false
      }
      return true
    },
  }
}
