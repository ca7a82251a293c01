import { useValue } from '@legendapp/state/react'
import { incident } from '@qd/core/resources'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { records, session } from '../../../base/state/stores.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { Icon } from '../../../ui/drawings/Icon.tsx'
import { spoken } from '../../../ui/Page.css.ts'
import * as css from './Frame.css.ts'

/** How many incidents are open now, as the server counts them; followed while somebody is here. */
export function useOpenIncidents(): number {
  const isKept = useValue(() => session.supports('incidents'))
  useEffect(() => (isKept ? records.watch('incident') : undefined), [isKept])
  return useValue(() => (isKept ? (records.list$('incident').pages.get()?.counts.open ?? 0) : 0))
}

/** Leads to the open incidents where there are any, and says how many they are, also to who cannot see it. */
export function IncidentBadge({ count }: { count: number }) {
  const { t, format } = useTexts()
  const words = t('ui.frame.incidents', { count })
  return (
    <>
      <span className={spoken} role="status">
        {count > 0 && words}
      </span>
      {count > 0 && (
        <Link className={css.badge} to={`${incident.path}?q=open`} aria-label={words} title={words}>
          <Icon name="siren" size={14} />
          {format.number(count)}
        </Link>
      )}
    </>
  )
}
