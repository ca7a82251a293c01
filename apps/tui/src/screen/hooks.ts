import type { Format, Translator } from '@qd/core/i18n'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import type { Area } from './state/screen.ts'
import type { Ui } from './state/ui.ts'
import { createPlacedRows, type PlacedRows } from './terminal/placed-rows.ts'
import { plainStyle, type ScreenStyle } from './terminal/screen-style.ts'

export const PlacedRowsContext = createContext<PlacedRows>(createPlacedRows())

export const AreaContext = createContext<Area>({ columns: 80, rows: 20 })

/** Size of a screen in cells; overlays take at most so many rows. */
export function useArea(): Area {
  return useContext(AreaContext)
}

/** Increases on `ui.changed()` and every second. */
export const TickContext = createContext(0)

/** Renders every tick: for clocks and stores that aren't observables. */
export function useTick(): number {
  return useContext(TickContext)
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

export function useTexts(): Pick<Translator, 't' | 'say'> & { readonly format: Format } {
  const { translator, format } = useUi().workspace
  return { t: translator.t, say: translator.say, format }
}
