import { actionOf } from '@qd/core/define'
import { server } from '@qd/core/resources'
import { useEffect, useState } from 'react'
import { actionItems } from '../../act/action-items/action-items.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Note } from '../../ui/Note.tsx'
import { announceArrivals } from './announce-arrivals.ts'
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
