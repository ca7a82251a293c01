import { useValue } from '@legendapp/state/react'
import { type ServerCheck, textKey } from '@qd/core/define'
import { errorText } from '@qd/core/i18n'
import { createFormCheck, type FormCheck, type Tried } from '@qd/core/store'
import type { FormModel } from '@qd/core/view'
import { type ComponentType, Suspense, useEffect, useReducer, useRef, useState } from 'react'
import { onCommand } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { ports } from '../../base/ports.ts'
import { client, session } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { head, section } from '../../ui/Page.css.ts'
import { SettingButton } from '../errors/SettingButton.tsx'
import { ReportLines } from '../fields/ReportLines.tsx'
import { sampleServer$ } from '../notifiers/sample.ts'
import { serverCheckViews } from '../overrides.ts'
import * as css from './FormPreview.css.ts'

/** Tries a form’s values on the server, after a pause or on demand. */
function useFormCheck(form: FormModel, check: ServerCheck): FormCheck {
  const [, onChange] = useReducer((count: number) => count + 1, 0)
  const latest = useRef(form)
  latest.current = form
  const [tries] = useState(() =>
    createFormCheck(() => latest.current, check, {
      supports: session.supports,
      send: client.send,
      clock: ports,
      server: () => sampleServer$.peek(),
      onChange,
    }),
  )
  useEffect(tries.follow)
  useEffect(() => tries.stop, [tries])
  return tries
}

export function ServerCheckPanel({ form }: { form: FormModel }) {
  const { resource } = form
  if (!resource) return null
  return Object.entries(resource.serverChecks).map(([name, check]) => (
    <ServerCheckView
      key={name}
      form={form}
      check={check}
      label={textKey.serverCheck(resource.name, name)}
      Answer={serverCheckViews[resource.name]?.[name]}
    />
  ))
}

type AnswerView = ComponentType<{ answer: unknown }> | undefined

function ServerCheckView({
  form,
  check,
  label,
  Answer,
}: {
  form: FormModel
  check: ServerCheck
  label: string
  Answer: AnswerView
}) {
  const { t, say, format } = useTexts()
  const tries = useFormCheck(form, check)
  useValue(() => session.supports(check.capability))
  const [tried, isAsking, why] = [tries.tried(), tries.isAsking(), tries.reason()]
  const reason = why && t(why)
  const isStale = isAsking || why === 'ui.serverCheck.wrong'
  return (
    <section className={section}>
      <h2 className={head}>
        {tried && check.when === 'asked'
          ? t('ui.serverCheck.at', { check: say(label), time: format.clock(tried.at) })
          : say(label)}
      </h2>
      <div role="status" className={isStale ? css.old : css.result} aria-busy={isAsking}>
        <Suspense>{tried && <Result tried={tried} check={check} Answer={Answer} />}</Suspense>
        {!tried && isAsking && <p className={css.checkHelp}>{t('ui.serverCheck.asking')}</p>}
      </div>
      {check.when === 'typed' && reason && <p className={css.checkHelp}>{reason}</p>}
      {check.when === 'asked' && <AskButton tries={tries} label={say(label)} reason={reason} />}
    </section>
  )
}

function AskButton({ tries, label, reason }: { tries: FormCheck; label: string; reason: string | null }) {
  useEffect(() => onCommand('testDraft', tries.ask))
  return (
    <>
      <Button icon="send" caps={capsOf('testDraft')} isPending={tries.isAsking()} reason={reason} onPress={tries.ask}>
        {label}
      </Button>
      {reason && <p className={css.checkHelp}>{reason}</p>}
    </>
  )
}

function Result({ tried, check, Answer }: { tried: Tried; check: ServerCheck; Answer: AnswerView }) {
  const { translator } = useTexts()
  if (tried.kind === 'answer' && Answer) return <Answer answer={tried.answer} />
  if (tried.kind === 'answer') return <ReportLines report={check.report(tried.answer)} />
  const { title, details, hint } = errorText(translator, tried.error)
  return (
    <Note tone="bad" title={title}>
      {[...details, hint].filter(Boolean).join(' ')}
      <SettingButton error={tried.error} />
    </Note>
  )
}
