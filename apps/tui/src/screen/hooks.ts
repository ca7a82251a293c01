import type { Format, Translator } from '@qd/core/i18n'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import type { Area } from './state/screen.ts'
import type { Ui } from './state/ui.ts'
import { plainStyle, type ScreenStyle } from './terminal/screen-style.ts'

/** The room of a screen, and the most that something over it may take. */
export const AreaContext = createContext<Area>({ columns: 80, rows: 20 })

/** The room of a screen, in cells. What lies over it takes at most so many rows. */
export function useArea(): Area {
  return useContext(AreaContext)
}

/** Rises with every change that somebody told of by `ui.changed()`, and with each second. */
export const TickContext = createContext(0)

/** Draws the component with every tick: for what shows the time, or a store that is no observable. */
export function useTick(): number {
  return useContext(TickContext)
}

/** The state of the program, for all components below. */
export const UiContext = createContext<Ui | null>(null)

/** The state of the program and what it can do: say something, open and close, go elsewhere. */
export function useUi(): Ui {
  const ui = useContext(UiContext)
  if (ui === null) throw new Error('There is no UiContext above this component')
  return ui
}

/** How this terminal shows things, for all components below; text alone where nobody says. */
export const ScreenStyleContext = createContext<ScreenStyle>(plainStyle)

/** How this terminal shows things. */
export function useScreenStyle(): ScreenStyle {
  return useContext(ScreenStyleContext)
}

/** The value one frame later: what follows the focus lets a key be drawn first. */
export function useLater<Value>(value: Value): Value {
  const { io } = useUi()
  const [later, setLater] = useState(value)
  useEffect(() => (value === later ? undefined : io.setTimer(() => setLater(value), 0)), [io, value, later])
  return later
}

/** The values of before where these are the same ones in the same order: what is made of them need not be made again. */
export function useSame(values: readonly unknown[]): readonly unknown[] {
  const kept = useRef(values)
  const isSame = values.length === kept.current.length && values.every((value, at) => value === kept.current[at])
  if (!isSame) kept.current = values
  return kept.current
}

/** Texts, numbers and times in the language of the program. */
export function useTexts(): Pick<Translator, 't' | 'say'> & { readonly format: Format } {
  const { translator, format } = useUi().workspace
  return { t: translator.t, say: translator.say, format }
}
