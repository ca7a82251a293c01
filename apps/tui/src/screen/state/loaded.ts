import type { Cancel } from '@qd/core/api'
import { type AppError, toAppError } from '@qd/core/errors'
import { createState } from './observed.ts'
import type { Ui } from './ui.ts'

export interface Loaded<Value> {
  readonly value: Value | null
  readonly error: AppError | null
  readonly isComing: boolean
  /** Reloads; an older answer is dropped. */
  load(): void
  watch(): Cancel
}

const againMs = 30_000

export function createLoaded<Value>(ui: Ui, ask: () => Promise<Value>): Loaded<Value> {
  const state = createState({ value: null as Value | null, error: null as AppError | null, asked: 0 })
  const load = async () => {
    state.asked += 1
    const mine = state.asked
    const answer = await ask().then(
      (answered) => ({ value: answered, error: null }),
      (thrown: unknown) => ({ value: state.value, error: toAppError(thrown) }),
    )
    if (mine === state.asked) Object.assign(state, answer)
  }
  return {
    get value() {
      return state.value
    },
    get error() {
      return state.error
    },
    get isComing() {
      return state.asked > 0 && state.value === null && state.error === null
    },
    load: () => void load(),
    watch() {
      let cancel: Cancel = () => undefined
      const again = () => {
        void load()
        cancel = ui.io.setTimer(again, againMs)
      }
      again()
      return () => cancel()
    },
  }
}
