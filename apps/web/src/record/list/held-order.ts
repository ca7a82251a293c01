import type { Observable } from '@legendapp/state'
import { useValue } from '@legendapp/state/react'
import { same } from '@qd/core/actions'
import type { Resource } from '@qd/core/define'
import type { Table } from '@qd/core/view'
import { type FocusEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { onCommands } from '../../act/keys/commands.ts'
import type { ListState } from '../../base/state/list-state.ts'

/** A list whose order rests while somebody is at it. */
export interface HeldOrder {
  table: Table
  /** The order is another one by now. */
  hasChanged: boolean
  /** Takes the order of now. */
  release: () => void
  /** The pointer or the focus came to the rows, or left them. */
  hold: (by: 'pointer' | 'focus', isHeld: boolean) => void
}

/** Rows that live figures order keep their places while the pointer or the focus is on them; `R` orders them anew (issue 12.6). */
export function useHeldOrder(resource: Resource, list$: Observable<ListState>, fresh: Table): HeldOrder {
  const [by, setBy] = useState({ pointer: false, focus: false })
  const [turn, setTurn] = useState(0)
  const filter = useValue(list$.filter)
  const sort = useValue(list$.sort)
  const isLive =
    sort.field === resource.state?.field || resource.columns.some(({ field, live }) => live && field === sort.field)
  const isHeld = isLive && (by.pointer || by.focus)
  const held = useRef<readonly number[]>(fresh.ids)
  // Another filter, another order or R: it begins with what is now.
  const asked = JSON.stringify([filter, sort, turn])
  const before = useRef(asked)
  const ids = useMemo(() => {
    const isSame = before.current === asked
    before.current = asked
    held.current = isHeld && isSame ? inOldOrder(held.current, fresh.ids) : fresh.ids
    return held.current
  }, [asked, isHeld, fresh.ids])
  const release = useCallback(() => setTurn((count) => count + 1), [])
  const hold = useCallback(
    (what: 'pointer' | 'focus', isOn: boolean) => setBy((now) => (now[what] === isOn ? now : { ...now, [what]: isOn })),
    [],
  )
  // Reading the list anew goes on with whoever else answers.
  useEffect(
    () =>
      onCommands({
        reload() {
          release()
          return false
        },
      }),
    [release],
  )
  return {
    table: useMemo(() => (ids === fresh.ids ? fresh : { ...fresh, ids }), [fresh, ids]),
    hasChanged: !same(ids, fresh.ids),
    release,
    hold,
  }
}

/** What an element is given that holds the order while the pointer or the focus is in it. */
export function whileThere({ hold }: Pick<HeldOrder, 'hold'>) {
  return {
    onPointerEnter: () => hold('pointer', true),
    onPointerLeave: () => hold('pointer', false),
    onFocus: () => hold('focus', true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
      hold('focus', relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
  }
}

/** The rows in the order that they had; new ones at the end. */
export function inOldOrder(old: readonly number[], now: readonly number[]): readonly number[] {
  const here = new Set(now)
  const known = new Set(old)
  const ids = [...old.filter((id) => here.has(id)), ...now.filter((id) => !known.has(id))]
  return same(ids, old) ? old : ids
}
