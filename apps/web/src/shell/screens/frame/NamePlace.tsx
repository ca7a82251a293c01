import { useValue } from '@legendapp/state/react'
import { allowed } from '@qd/core/define'
import { setting } from '@qd/core/resources'
import { Suspense, useState } from 'react'
import { tabStorage } from '../../../base/ports.ts'
import { lazyPart } from '../../../base/state/lazy-part.ts'
import { records, session } from '../../../base/state/stores.ts'
import { nameHere } from '../../../record/connect/name-here.ts'

const NameQuestion = lazyPart(async () => (await import('../../../record/connect/NameQuestion.tsx')).NameQuestion)
const key = 'name-later'

/** The question for the console’s name, while no name is confirmed; only for those who can answer it. Put off, it comes back in another tab. */
export function NamePlace() {
  const name = nameHere()
  const [isLater, setLater] = useState(() => tabStorage.get(key) !== null)
  const isOpen = useValue(() => {
    const known = records.row$('setting', 1).get()
    const may = allowed(session.viewer(), setting.actions.edit!)
    return may && session.supports('nat-domains') && known !== undefined && !known.dashboard_host
  })
  if (name === null || isLater || !isOpen) return null
  const later = () => {
    tabStorage.set(key, '1')
    setLater(true)
  }
  return (
    <Suspense>
      <NameQuestion name={name} onLater={later} />
    </Suspense>
  )
}
