import { observe } from '@legendapp/state'
import type { KeyBinding } from '@qd/core/actions'
import type { Cancel } from '@qd/core/api'
import type { ResourceName } from '@qd/core/define'
import type { Ui } from '../app/ui.ts'

/** Keys about rows that were pressed before the first rows came. */
export interface EarlyKeys {
  /** True when the key waits now. */
  hold(binding: KeyBinding): boolean
  /** Presses them when the rows are there, while the answer is not called; they are dropped when the list fails. */
  watch(): Cancel
}

const aboutNoRow: readonly string[] = ['filter', 'sort', 'reload']

/** Keys about rows wait for the first answer instead of meaning nothing; after one that runs an action the rest would mean another place. */
export function createEarlyKeys(ui: Ui, name: ResourceName, press: (binding: KeyBinding) => void): EarlyKeys {
  const { records } = ui.desk
  let held: KeyBinding[] = []
  const isWaiting = () => {
    const { loadedAt, status } = records.list$(name).peek()
    return loadedAt === null && status !== 'failed'
  }
  const release = () => {
    const keys = held
    held = []
    const action = keys.findIndex((binding) => binding.action !== null)
    for (const binding of action < 0 ? keys : keys.slice(0, action + 1)) press(binding)
    ui.changed()
  }
  return {
    hold(binding) {
      const { action, command, group } = binding
      const isAboutRows = action ? action.on !== 'none' : group === 'list' && !aboutNoRow.includes(command)
      if (!isAboutRows || !isWaiting()) return false
      held.push(binding)
      return true
    },
    watch() {
      const stop = observe(() => {
        const { status } = records.list$(name).get()
        if (held.length === 0 || isWaiting()) return
        if (status === 'failed') held = []
        // After the change is told to everybody.
        else ui.io.setTimer(release, 0)
      })
      return () => {
        held = []
        stop()
      }
    },
  }
}
