import { useValue } from '@legendapp/state/react'
import { type Call, type ServerCheck, textKey } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { errorText } from '@qd/core/i18n'
import type { FormModel } from '@qd/core/view'
import { type ComponentType, Suspense, useEffect, useRef, useState } from 'react'
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

const restMs = 400

/** Last try: when it was sent (epoch ms), and its answer or error. */
type Tried = { at: number } & ({ kind: 'answer'; answer: unknown } | { kind: 'error'; error: AppError })

interface ServerCheckState {
  tried: Tried | null
  isAsking: boolean
  wrong: readonly string[]
  ask: () => void
}

function checkCall(form: FormModel, check: ServerCheck): { call: Call; wrong: readonly string[] } {
  const call = check.call(form.sent(), form.base?.id ?? null, sampleServer$.peek())
  const sent = new Set(Object.keys((call.body ?? {}) as object))
  return {
    call,
    wrong: form
      .problems()
      .map(({ field }) => field)
      .filter((field) => sent.has(field)),
  }
}

/** Tries a form’s values on the server, after a pause or on demand. A newer request cancels the last. */
function useServerCheck(form: FormModel, check: ServerCheck, isSupported: boolean): ServerCheckState {
  const [tried, setTried] = useState<Tried | null>(null)
  const [isAsking, setAsking] = useState(false)
  const running = useRef<AbortController | null>(null)
  const { call, wrong } = checkCall(form, check)
  const send = async (asked: Call) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setAsking(true)
    const at = ports.now()
    const result = await client.send(asked, { signal: own.signal }).then(
      (answer): Tried => ({ at, kind: 'answer', answer }),
      (thrown): Tried => ({ at, kind: 'error', error: toAppError(thrown) }),
    )
    if (own.signal.aborted) return
    setTried(result)
    setAsking(false)
  }
  const latest = useRef(send)
  latest.current = send
  const isTyped = check.when === 'typed' && isSupported && wrong.length === 0
  const question = isTyped ? JSON.stringify(call) : null
  useEffect(() => {
    if (question === null) return
    const timer = setTimeout(() => void latest.current(JSON.parse(question) as Call), restMs)
    return () => clearTimeout(timer)
  }, [question])
  useEffect(() => () => running.current?.abort(), [])
  return { tried, isAsking, wrong, ask: () => void send(call) }
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
  const isSupported = useValue(() => session.supports(check.capability))
  const state = useServerCheck(form, check, isSupported)
  const { tried, wrong } = state
  const reason = !isSupported ? t('ui.reasons.capability') : wrong.length > 0 ? t('ui.serverCheck.wrong') : null
  const isStale = state.isAsking || wrong.length > 0
  return (
    <section className={section}>
      <h2 className={head}>
        {tried && check.when === 'asked'
          ? t('ui.serverCheck.at', { check: say(label), time: format.clock(tried.at) })
          : say(label)}
      </h2>
      <div role="status" className={isStale ? css.old : css.result} aria-busy={state.isAsking}>
        <Suspense>{tried && <Result tried={tried} check={check} Answer={Answer} />}</Suspense>
        {!tried && state.isAsking && <p className={css.checkHelp}>{t('ui.serverCheck.asking')}</p>}
      </div>
      {check.when === 'typed' && reason && <p className={css.checkHelp}>{reason}</p>}
      {check.when === 'asked' && <AskButton state={state} label={say(label)} reason={reason} />}
    </section>
  )
}

function AskButton({ state, label, reason }: { state: ServerCheckState; label: string; reason: string | null }) {
  useEffect(() => onCommand('testDraft', () => (reason === null ? state.ask() : undefined)))
  return (
    <>
      <Button icon="send" caps={capsOf('testDraft')} isPending={state.isAsking} reason={reason} onPress={state.ask}>
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
