import { observe } from '@legendapp/state'
import { type Action, titleOf } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { type Arrival, createArrival } from '@qd/core/view'
import { notify } from '../../base/state/overlays.ts'
import { records, session, view } from '../../base/state/stores.ts'
import { texts } from '../../base/state/texts.ts'

let stop = () => {}

/** Says in a message when the action has brought a record, wherever the person is by then. It ends with their sign-in. */
export function announceArrivals(action: Action): void {
  stop()
  const resource = resourceByName(action.resource)!
  const who = session.viewer().id
  let arrival: Arrival | null = null
  const dispose = observe(() => {
    if (session.viewer().id !== who) return stop()
    // A list that is only remembered lacks what came since.
    if (!arrival && records.list$(resource.name).status.get() !== 'ready') return
    arrival ??= createArrival(action, { resource, rows: [], view })
    const [first] = arrival(view)
    if (!first) return
    stop()
    const { t, format } = texts()
    notify({ tone: 'ok', title: t('ui.connect.connected', { names: format.list([titleOf(resource, first)]) }) })
  })
  stop = () => queueMicrotask(dispose)
}
