import { useValue } from '@legendapp/state/react'
import { type Trial, textKey } from '@qd/core/define'
import { errorText } from '@qd/core/i18n'
import type { FormModel } from '@qd/core/view'
import { type ComponentType, Suspense, useEffect } from 'react'
import { onCommand } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { session } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { head, section } from '../../ui/Page.css.ts'
import { SettingButton } from '../errors/SettingButton.tsx'
import { ReportLines } from '../fields/ReportLines.tsx'
import { trialViews } from '../overrides.ts'
import * as css from './FormPreview.css.ts'
import { type TrialState, type Tried, useTrial } from './use-trial.ts'

export function TrialPanel({ form }: { form: FormModel }) {
  const { resource } = form
  if (!resource) return null
  return Object.entries(resource.trials).map(([name, trial]) => (
    <TrialView
      key={name}
      form={form}
      trial={trial}
      label={textKey.trial(resource.name, name)}
      Answer={trialViews[resource.name]?.[name]}
    />
  ))
}

type AnswerView = ComponentType<{ answer: unknown }> | undefined

function TrialView({
  form,
  trial,
  label,
  Answer,
}: {
  form: FormModel
  trial: Trial
  label: string
  Answer: AnswerView
}) {
  const { t, say, format } = useTexts()
  const isSupported = useValue(() => session.supports(trial.capability))
  const state = useTrial(form, trial, isSupported)
  const { tried, wrong } = state
  const reason = !isSupported ? t('ui.reasons.capability') : wrong.length > 0 ? t('ui.trial.wrong') : null
  const isStale = state.isAsking || wrong.length > 0
  return (
    <section className={section}>
      <h2 className={head}>
        {tried && trial.when === 'asked'
          ? t('ui.trial.at', { trial: say(label), time: format.clock(tried.at) })
          : say(label)}
      </h2>
      <div role="status" className={isStale ? css.old : css.result} aria-busy={state.isAsking}>
        <Suspense>{tried && <Result tried={tried} trial={trial} Answer={Answer} />}</Suspense>
        {!tried && state.isAsking && <p className={css.trialHelp}>{t('ui.trial.asking')}</p>}
      </div>
      {trial.when === 'typed' && reason && <p className={css.trialHelp}>{reason}</p>}
      {trial.when === 'asked' && <AskButton state={state} label={say(label)} reason={reason} />}
    </section>
  )
}

function AskButton({ state, label, reason }: { state: TrialState; label: string; reason: string | null }) {
  useEffect(() => onCommand('trial', () => (reason === null ? state.ask() : undefined)))
  return (
    <>
      <Button icon="send" caps={capsOf('trial')} isPending={state.isAsking} reason={reason} onPress={state.ask}>
        {label}
      </Button>
      {reason && <p className={css.trialHelp}>{reason}</p>}
    </>
  )
}

function Result({ tried, trial, Answer }: { tried: Tried; trial: Trial; Answer: AnswerView }) {
  const { translator } = useTexts()
  if (tried.kind === 'answer' && Answer) return <Answer answer={tried.answer} />
  if (tried.kind === 'answer') return <ReportLines report={trial.report(tried.answer)} />
  const { title, details, hint } = errorText(translator, tried.error)
  return (
    <Note tone="bad" title={title}>
      {[...details, hint].filter(Boolean).join(' ')}
      <SettingButton error={tried.error} />
    </Note>
  )
}
