import type { Cancel } from '@qd/core/api'
import { type AppError, toAppError } from '@qd/core/errors'
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
  let value: Value | null = null
  let error: AppError | null = null
  let asked = 0
  const load = async () => {
    asked += 1
    const mine = asked
    const answer = await ask().then(
      (answered) => ({ value: answered, error: null }),
      (thrown: unknown) => ({ value, error: toAppError(thrown) }),
    )
    if (mine !== asked) return
    value = answer.value
    error = answer.error
    ui.changed()
  }
  return {
    get value() {
      return value
    },
    get error() {
      return error
    },
    get isComing() {
      return asked > 0 && value === null && error === null
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
