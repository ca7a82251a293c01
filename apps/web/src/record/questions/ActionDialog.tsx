import { sayText } from '@qd/core/actions'
import { type Arguments, actionKey, textKey, titleOf, type Values } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { nounOf, problemSentence } from '@qd/core/i18n'
import { attentionText, changesText, createArgumentsForm } from '@qd/core/view'
import { useEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { copy } from '../../act/perform/perform.ts'
import { setLeaving } from '../../base/state/form-leaving.ts'
import type { PendingQuestion } from '../../base/state/overlays.ts'
import { session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ConnectDialog } from '../connect/ConnectDialog.tsx'
import { ErrorBoundary } from '../errors/ErrorPage.tsx'
import { Discard } from '../form/Discard.tsx'
import * as css from '../form/Form.css.ts'
import { FormFields } from '../form/FormFields.tsx'
import { focusField } from '../form/form-state.ts'
import { ActionPreview } from './ActionPreview.tsx'

const widths = { alone: 520, withPreview: 880 } as const

export function ActionDialog({ asked, args }: { asked: PendingQuestion; args: Arguments }) {
  const { t } = useTexts()
  const [start, setStart] = useState<Values | null>(null)
  useEffect(() => {
    let isOpen = true
    asked.question.start().then(
      (values) => isOpen && setStart(values),
      (thrown) => isOpen && asked.fail(thrown),
    )
    return () => {
      isOpen = false
    }
  }, [asked])
  if (start && asked.question.action.brings) return <ConnectDialog asked={asked} start={start} />
  if (start) return <ArgumentsForm asked={asked} args={args} start={start} />
  return (
    <Dialog
      title={<Title asked={asked} />}
      width={asked.question.confirm ? widths.withPreview : widths.alone}
      phone="fill"
      closeLabel={t('ui.frame.close')}
      onClose={() => asked.answer(null)}
    >
      <div className={css.loading} role="status" aria-label={t('ui.list.loading')} data-loading>
        {[160, 280, 220, 280].map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bars without a meaning
          <Skeleton key={index} width={width} />
        ))}
      </div>
    </Dialog>
  )
}

function Title({ asked: { question } }: { asked: PendingQuestion }) {
  const { t, say, translator } = useTexts()
  const { action, resource, rows } = question
  const noun = nounOf(say(textKey.many(resource.name)), translator.language)
  return (
    <span className={css.title}>
      {say(actionKey(action))}
      {rows.length > 0 && (
        <span className={css.which}>
          {rows.length === 1
            ? `${titleOf(resource, firstItem(rows))} · #${firstItem(rows).id}`
            : t('ui.confirm.objects', { number: rows.length, noun })}
        </span>
      )}
    </span>
  )
}

function ArgumentsForm({ asked, args, start }: { asked: PendingQuestion; args: Arguments; start: Values }) {
  const { t, say, translator } = useTexts()
  const { question, answer } = asked
  const { action, resource, rows, confirm } = question
  const [form] = useState(() =>
    createArgumentsForm({ action, args, resource, rows, start, view, viewer: session.viewer(), translator }),
  )
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const root = useRef<HTMLDivElement>(null)
  const [leave, setLeave] = useState<((goes: boolean) => void) | null>(null)
  const isDirty = form.changes().length > 0
  const mayLeave = () => (isDirty ? new Promise<boolean>((resolve) => setLeave(() => resolve)) : Promise.resolve(true))
  const onClose = () => void mayLeave().then((goes) => goes && answer(null))
  const go = () => {
    const submitted = form.submit()
    if (submitted.ok) return answer(submitted.input)
    flushSync(draw)
    focusField(root.current, submitted.first)
  }
  const copyLine = () => void copy(form.cliLine())
  useEffect(() => {
    const cancel = onCommands({ save: go, copyCli: copyLine })
    const stop = setLeaving(async () => {
      const goes = await mayLeave()
      if (goes) answer(null)
      return goes
    })
    return () => {
      cancel()
      stop()
    }
  })
  useEffect(() => focusField(root.current, null), [])

  const ofAll = form.shownProblems().find(({ field }) => field === '')
  const attention = ofAll ? problemSentence(translator, ofAll) : attentionText({ translator }, form)
  const label = confirm ? sayText(translator, confirm.go) : say(actionKey(action))
  const hasPreview = confirm !== null || args.preview !== null
  return (
    <>
      <Dialog
        title={<Title asked={asked} />}
        width={hasPreview ? widths.withPreview : widths.alone}
        phone="fill"
        closeLabel={t('ui.frame.close')}
        onClose={onClose}
        sticky={isDirty}
        bare
        footer={
          <>
            {attention && <div className={css.aboveButtons}>{attention}</div>}
            <span className={css.onDesktop}>
              <Button tone="ghost" icon="terminal" onPress={copyLine} caps={capsOf('copyCli')}>
                {t('ui.keys.copyCli')}
              </Button>
              <span className={attention ? css.wrong : css.summary} role="status">
                {attention ?? changesText({ translator }, form)}
              </span>
            </span>
            <span className={css.grow} />
            <span className={css.buttons}>
              <Button onPress={onClose} caps={capsOf('escape')}>
                {t('ui.form.cancel')}
              </Button>
              <Button tone={action.tone === 'bad' ? 'danger' : 'primary'} onPress={go} caps={capsOf('save')}>
                {rows.length > 1 ? t('ui.confirm.goCount', { action: label, count: rows.length }) : label}
              </Button>
            </span>
          </>
        }
      >
        <div className={hasPreview ? css.columns : css.single}>
          <FormFields
            state={{
              form,
              root,
              edit(change) {
                change()
                draw()
              },
            }}
          />
          {hasPreview && (
            <aside className={css.does} aria-label={t('ui.preview.label')}>
              <ErrorBoundary around="part">
                <ActionPreview question={question} form={form} />
              </ErrorBoundary>
            </aside>
          )}
        </div>
      </Dialog>
      {leave && (
        <Discard
          changes={changesText({ translator }, form)}
          onAnswer={(goes) => {
            setLeave(null)
            leave(goes)
          }}
        />
      )}
    </>
  )
}
