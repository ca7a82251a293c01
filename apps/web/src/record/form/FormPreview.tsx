import { useValue } from '@legendapp/state/react'
import { type Resource, textKey } from '@qd/core/define'
import { type FormModel, type FormRuns, type FormTargets, formTargetsTexts, runsTexts } from '@qd/core/view'
import { Suspense } from 'react'
import { live } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import { formAsides, formFeet } from '../overrides.ts'
import * as css from './FormPreview.css.ts'
import { ServerCheckPanel } from './ServerCheckPanel.tsx'

const missingShown = 6

export function hasPreview(form: FormModel): boolean {
  const { resource } = form
  const isAsked = resource !== null && (Object.keys(resource.serverChecks).length > 0 || resource.name in formAsides)
  return isAsked || form.preview() !== null || form.targetPreview() !== null || form.runs() !== null
}

export function FormPreview({ form }: { form: FormModel }) {
  useValue(() => live.now())
  const targetPreview = form.targetPreview()
  const runs = form.runs()
  const Aside = form.resource ? formAsides[form.resource.name] : undefined
  const Foot = form.resource ? formFeet[form.resource.name] : undefined
  return (
    <div className={css.preview}>
      {!Aside && !Foot && <Lines form={form} />}
      {!Foot && targetPreview && <TargetsView targetPreview={targetPreview} isRun={startsRun(form.resource)} />}
      {runs && <RunsView runs={runs} />}
      <Suspense>{Aside && <Aside form={form} />}</Suspense>
      <ServerCheckPanel form={form} />
      <Suspense>{Foot && <Foot form={form} />}</Suspense>
    </div>
  )
}

function Lines({ form }: { form: FormModel }) {
  const { say } = useTexts()
  const lines = form.preview()
  if (!lines) return null
  return (
    <section className={css.section}>
      <h2 className={css.head}>{say(textKey.preview(form.shape.name))}</h2>
      {lines.map((line) => (
        <p key={line} className={css.said}>
          {line}
        </p>
      ))}
    </section>
  )
}

/** Whether it does something at a time, so that offline servers miss it. */
const startsRun = (resource: Resource | null) =>
  !resource || Object.values(resource.actions).some(({ starts }) => starts === 'run')

export function TargetsView({ targetPreview, isRun }: { targetPreview: FormTargets; isRun: boolean }) {
  const { t, say } = useTexts()
  const subject = say(targetPreview.sentence.key.replace(/Offline$/, ''), targetPreview.sentence.params)
  const { sentence, idle, counts, missing, changes } = formTargetsTexts(surface(), targetPreview, { isRun })
  const more = missing.length - missingShown
  return (
    <section className={css.section}>
      <h2 className={css.head}>{t('ui.preview.title')}</h2>
      <p className={css.verdict} role="status">
        {sentence.startsWith(subject) ? subject : sentence}
        {sentence.startsWith(subject) && <span className={css.gone}>{sentence.slice(subject.length)}</span>}
      </p>
      {idle && <p className={css.gone}>{idle}</p>}
      {counts.length > 0 && (
        <div className={css.bar} role="img" aria-label={counts.map(({ text }) => text).join(', ')}>
          {counts.map(({ mode }) => (
            <i key={mode} className={css.part[mode]} style={{ flex: targetPreview.targets[mode].length }} />
          ))}
        </div>
      )}
      <ul className={css.counts}>
        {counts.map(({ mode, text }) => (
          <li key={mode} className={css.count}>
            {mode === 'excepted' ? (
              <span className={css.left} />
            ) : (
              <StateMark tone={mode === 'online' ? 'ok' : 'bad'} label="" decorative />
            )}
            {text}
          </li>
        ))}
      </ul>
      {missing.length > 0 && (
        <ul className={css.rows}>
          {missing.slice(0, missingShown).map(({ server, gone }) => (
            <li key={server.id} className={css.row}>
              <StateMark tone={server.lastSeenAt === null ? 'muted' : 'bad'} label="" decorative />
              <span className={css.name} title={server.name}>
                {server.name}
              </span>
              <span className={css.side}>{gone}</span>
            </li>
          ))}
          {more > 0 && <li className={css.row}>{t('ui.picker.more', { count: more })}</li>}
        </ul>
      )}
      {changes.map((text) => (
        <p key={text} className={css.help}>
          {text}
        </p>
      ))}
    </section>
  )
}

function RunsView({ runs }: { runs: FormRuns }) {
  const { t } = useTexts()
  const { runs: times, zone, none } = runsTexts(surface(), runs)
  return (
    <section className={css.section}>
      <h2 className={css.head}>{t('ui.preview.runs')}</h2>
      {none === null ? (
        <ol className={css.rows}>
          {times.map(({ at, text, distance }) => (
            <li key={at} className={css.run}>
              <span className={css.at}>{text}</span>
              <span className={css.side}>{distance}</span>
            </li>
          ))}
        </ol>
      ) : (
        <p className={css.help}>{none}</p>
      )}
      {none === null && <p className={css.help}>{zone}</p>}
    </section>
  )
}
