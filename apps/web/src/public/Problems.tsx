import { lastItem } from '@qd/core/errors'
import { measured, metricName } from '@qd/core/fields'
import { useSeconds } from '../base/hooks/use-timers.ts'
import { useTexts } from '../base/state/texts.ts'
import type { PublicState } from './feed.ts'
import * as css from './Public.css.ts'
import { announcedOf, type Problem, problemsOf, problemText, toneOf } from './problems.ts'
import { type PublicServer, serverStateOf } from './public-server.ts'

const maxProblems = 8
const maxAnnounced = 4

export function Problems({ servers, incidents }: Pick<PublicState, 'servers' | 'incidents'>) {
  const { t } = useTexts()
  const now = useSeconds(true)
  const withIncident = new Set(incidents.map(({ serverId }) => serverId))
  const down = servers.filter((server) => serverStateOf(server) === 'offline' && !withIncident.has(server.id))
  const maintained = servers.filter((server) => serverStateOf(server) === 'maintenance')
  const announced = announcedOf(servers, now)
  const problems = problemsOf(incidents, servers, down)
  const rest = Math.max(0, problems.length - maxProblems)
  if (problems.length + maintained.length + announced.length === 0) return null
  return (
    <section className={css.section} aria-label={t('ui.public.problems')}>
      {problems.slice(0, maxProblems).map((problem) => (
        <ProblemBox key={problem.key} {...{ problem, now }} />
      ))}
      {rest > 0 && <p className={css.small}>{t('ui.picker.more', { count: rest })}</p>}
      {maintained.length > 0 && <Maintenance servers={maintained} {...{ now }} until={lastEnd(maintained)} />}
      {announced.slice(0, maxAnnounced).map(({ servers, from, until }) => (
        <Maintenance key={`${from} ${until}`} {...{ servers, now, from, until }} />
      ))}
      {announced.length > maxAnnounced && (
        <p className={css.small}>{t('ui.picker.more', { count: announced.length - maxAnnounced })}</p>
      )}
    </section>
  )
}

const namesShown = 6

const lastEnd = (servers: readonly PublicServer[]) =>
  lastItem(servers.flatMap(({ maintenanceUntil }) => maintenanceUntil ?? []).toSorted())

function Maintenance({
  servers,
  now,
  from,
  until,
}: {
  servers: readonly PublicServer[]
  now: number
  from?: string
  until: string
}) {
  const { t, format } = useTexts()
  const end = format.instantRoomy(until, now)
  return (
    <div className={css.planned}>
      <b>
        {servers.length > namesShown
          ? t('ui.public.maintained', { count: servers.length })
          : t('ui.public.maintenanceOn', { names: format.list(servers.map(({ name }) => name)) })}
      </b>
      <span className={css.small}>
        {from === undefined
          ? t('ui.public.until', { until: end })
          : t('ui.public.fromUntil', { from: format.instantRoomy(from, now), until: end })}
      </span>
    </div>
  )
}

function ProblemBox({ problem, now }: { problem: Problem; now: number }) {
  const { t, translator, format } = useTexts()
  const { names, since, isLastSeen, reading, isPlanned } = problem
  const metric = reading && metricName(reading.metric, translator)
  const value = reading?.value != null && measured(reading.metric, reading.value, { translator, format })
  const details = [
    names.length > 1 ? names.slice(0, namesShown).join(', ') : null,
    names.length > namesShown ? t('ui.picker.more', { count: names.length - namesShown }) : null,
    metric && value ? t('ui.reading.value', { metric, value }) : null,
    isPlanned ? t('ui.public.maintenance') : null,
  ].filter(Boolean)
  return (
    <div className={css.problemOf[toneOf(problem)]}>
      <span>
        <b>{problemText(t, problem)}</b>
        {details.length > 0 && (
          <span className={css.small} style={{ display: 'block' }}>
            {details.join(' · ')}
          </span>
        )}
      </span>
      {since !== null && (
        <span className={css.small}>
          {t(isLastSeen ? 'ui.public.lastSeen' : 'ui.public.since', { since: format.since(since, now) })}
        </span>
      )}
    </div>
  )
}
