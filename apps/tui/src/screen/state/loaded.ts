import type { Cancel } from '@qd/core/api'
import { type AppError, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import { createState } from './observed.ts'
import type { Ui } from './ui.ts'

const againMs = 30_000

/** Ends several at once. */
export const endAll =
  (...ends: readonly Cancel[]): Cancel =>
  () => {
    for (const end of ends) end()
  }

/** An answer of the server that is asked for again while it is on screen. */
export function createLoaded<Value>(ui: Ui, ask: () => Promise<Value>) {
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
    /** Why there is nothing yet. */
    get absence() {
      const { translator } = ui.workspace
      return state.error ? errorText(translator, state.error).title : translator.t('ui.list.loading')
    },
    /** Asks again; an older answer is dropped. */
    load: () => void load(),
    watch(): Cancel {
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
