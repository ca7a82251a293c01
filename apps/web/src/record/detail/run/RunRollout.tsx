import type { AnyRow } from '@qd/core/define'
import { type Rollout, type RunCounts, run, runStateOf, server } from '@qd/core/resources'
import { rolloutPlan, rolloutStep } from '@qd/core/view'
import { ActionButton } from '../../../act/offers/ActionButton.tsx'
import { offers } from '../../../act/offers/offers.ts'
import { useTexts } from '../../../base/state/texts.ts'
import { StateMark } from '../../../ui/StateMark.tsx'
import * as css from './RunResults.css.ts'

const args = server.actions['force-update']!.args!

/** How a run is spread out over its servers, how far it is, and holding it or letting it go on; nothing for a run that goes to all at once, or has ended as it was meant to. */
export function RunRollout({ row }: { row: AnyRow }) {
  const texts = useTexts()
  const { t, say } = texts
  const rollout = row.rollout as Rollout
  const counts = row.counts as RunCounts
  const isOver = runStateOf(counts) !== 'open'
  if (!rollout || (isOver && rollout.state !== 'stopped')) return null
  const { step, steps, isCanary } = rolloutStep(rollout, counts)
  const acts = offers(run, [row], texts).filter(
    ({ action, reason }) => ['pause', 'resume', 'stop'].includes(action.name) && reason === null,
  )
  const place = isCanary ? t('ui.run.rollout.canary') : t('ui.run.rollout.batch', { step, steps })
  return (
    <section className={css.rolloutBar} aria-label={say(`resources.${args.name}.groups.rollout`)}>
      <div className={css.words}>
        <span className={css.state} role="status">
          <StateMark
            tone={rollout.state === 'going' ? 'accent' : rollout.state === 'paused' ? 'warn' : 'muted'}
            label=""
            decorative
          />
          <b>{rollout.state === 'going' ? place : t(`ui.run.rollout.${rollout.state}`)}</b>
          {rollout.state === 'paused' && <span className={css.plan}>{place}</span>}
        </span>
        <span className={css.plan}>{rolloutPlan(rollout, texts).join(' · ')}</span>
      </div>
      {acts.map((offer) => (
        <ActionButton
          key={offer.action.name}
          size="small"
          tone={offer.action.tone === 'bad' ? 'delete' : 'plain'}
          offer={offer}
          rows={[row]}
        />
      ))}
    </section>
  )
}
