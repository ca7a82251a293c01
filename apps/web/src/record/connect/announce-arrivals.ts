import { observe } from '@legendapp/state'
import { type Action, titleOf } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { type Arrival, createArrival } from '@qd/core/view'
import { notify } from '../../base/state/overlays.ts'
import { records, session, view } from '../../base/state/stores.ts'
import { texts } from '../../base/state/texts.ts'

let stop = () => {}

/** Notifies when an action has brought a record, on any page, until sign-out. */
export function announceArrivals(action: Action): void {
  stop()
  const resource = resourceByName(action.resource)!
  const who = session.viewer().id
  let arrival: Arrival | null = null
  const dispose = observe(() => {
    if (session.viewer().id !== who) return stop()
    // A remembered list lacks newer records.
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
