import { observe } from '@legendapp/state'
import { type Action, actionOf, titleOf } from '@qd/core/define'
import { resourceByName, server } from '@qd/core/resources'
import { type Arrival, createArrival } from '@qd/core/view'
import { useEffect, useState } from 'react'
import { actionItems } from '../../act/action-items/action-items.ts'
import { notify } from '../../base/state/overlays.ts'
import { records, session, view } from '../../base/state/stores.ts'
import { texts, useTexts } from '../../base/state/texts.ts'
import { Note } from '../../ui/Note.tsx'
import { Connect, useConnecting } from './Connect.tsx'

const install = actionOf(server, 'install')

export function ConnectAgent() {
  const texts = useTexts()
  const [start] = useState(() => ({ ...install.args!.initial }))
  // The list replaces this page as soon as the host is known, before it connects.
  useEffect(() => announceArrivals(install), [])
  const connecting = useConnecting(install, [], start)
  const reason = actionItems(server, [], texts).find(({ action }) => action === install)?.reason
  return reason ? <Note tone="warn">{reason}</Note> : <Connect connecting={connecting} />
}

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
