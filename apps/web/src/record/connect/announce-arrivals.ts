import { observe } from '@legendapp/state'
import { type Action, titleOf } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { createArrival } from '@qd/core/view'
import { notify } from '../../base/state/overlays.ts'
import { view } from '../../base/state/stores.ts'
import { texts } from '../../base/state/texts.ts'

let stop = () => {}

/** Says in a message when the action has brought a record, wherever the person is by then. */
export function announceArrivals(action: Action): void {
  stop()
  const resource = resourceByName(action.resource)!
  const arrival = createArrival(action, { resource, rows: [], view })
  const dispose = observe(() => {
    const [first] = arrival(view)
    if (!first) return
    stop()
    const { t, format } = texts()
    notify({ tone: 'ok', title: t('ui.connect.connected', { names: format.list([titleOf(resource, first)]) }) })
  })
  stop = () => queueMicrotask(dispose)
}
