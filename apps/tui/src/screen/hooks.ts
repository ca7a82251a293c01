import { isObservable, type Observable, observable, trackSelector } from '@legendapp/state'
import type { Cancel } from '@qd/core/api'
import { createContext, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Frames } from './state/frames.ts'
import type { Area } from './state/screen.ts'
import type { Ui } from './state/ui.ts'
import type { Workspace } from './state/workspace.ts'
import type { Line } from './terminal/line.ts'
import { createPlacedRows, type PlacedRows } from './terminal/placed-rows.ts'
import { plainStyle, type ScreenStyle } from './terminal/screen-style.ts'

export const PlacedRowsContext = createContext<PlacedRows>(createPlacedRows())

/** What a row looks like where it stands: between the edges of a box. */
export const InsetContext = createContext((line: Line): Line => line)

export const AreaContext = createContext<Area>({ columns: 80, rows: 20 })

/** Size of a screen in cells; overlays take at most so many rows. */
export function useArea(): Area {
  return useContext(AreaContext)
}

/** None: drawn once. */
export const FramesContext = createContext<Frames>({
  beat$: observable(0),
  request: () => undefined,
  onFrame: () => () => undefined,
})

/** Reads observables for a component, which is drawn again in the next frame after one of them changed. */
function createReader({ request, onFrame }: Frames) {
  let read: () => unknown = () => undefined
  let last: unknown
  let version = 0
  let isStale = false
  let stop: Cancel = () => undefined
  const track = () => {
    stop()
    isStale = false
    const tracked = trackSelector(read, () => {
      if (isStale) return
      isStale = true
      request()
    })
    stop = tracked.dispose!
    last = tracked.value
  }
  /** Whether it reads something else now. Objects change in place, so that only drawing tells. */
  const isOther = () => {
    const before = last
    if (Object(before) !== before) track()
    return Object(last) === last || last !== before
  }
  return {
    version: () => version,
    value<Value>(next: () => Value): Value {
      read = next
      track()
      return last as Value
    },
    subscribe(draw: () => void) {
      const leave = onFrame(() => {
        if (!isStale || !isOther()) return
        version += 1
        draw()
      })
      // What changed between drawing and now.
      if (isStale) request()
      return () => {
        leave()
        stop()
      }
    },
  }
}

/** The value of an observable, or of what reads some. */
export function useValue<Value>(of: Observable<Value> | (() => Value)): Value {
  const frames = useContext(FramesContext)
  const [reader] = useState(() => createReader(frames))
  useSyncExternalStore(reader.subscribe, reader.version)
  return reader.value(isObservable(of) ? () => of.get() as Value : (of as () => Value))
}

/** The same, and anew with every beat: for times, and for what is known of the server. */
export function useLive<Value>(read: () => Value): Value {
  const { beat$ } = useContext(FramesContext)
  return useValue(() => {
    beat$.get()
    return read()
  })
}

export const UiContext = createContext<Ui | null>(null)

export function useUi(): Ui {
  const ui = useContext(UiContext)
  if (ui === null) throw new Error('There is no UiContext above this component')
  return ui
}

export const ScreenStyleContext = createContext<ScreenStyle>(plainStyle)

export function useScreenStyle(): ScreenStyle {
  return useContext(ScreenStyleContext)
}

/** The value one frame later, so that a key is drawn before what follows the focus. */
export function useDeferred<Value>(value: Value): Value {
  const { io } = useUi()
  const [deferred, setDeferred] = useState(value)
  useEffect(() => (value === deferred ? undefined : io.setTimer(() => setDeferred(value), 0)), [io, value, deferred])
  return deferred
}

/** Keeps the previous array if its items are the same, for memoization. */
export function useSame(values: readonly unknown[]): readonly unknown[] {
  const kept = useRef(values)
  const isSame = values.length === kept.current.length && values.every((value, at) => value === kept.current[at])
  if (!isSame) kept.current = values
  return kept.current
}

export function useTexts(): Pick<Workspace, 't' | 'say' | 'format'> {
  return useUi().workspace
}
