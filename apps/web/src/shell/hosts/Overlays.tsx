import { useValue } from '@legendapp/state/react'
import { fieldKey, type Outcome } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { Suspense, useEffect } from 'react'
import { onCommand } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { useCopied } from '../../base/hooks/use-timers.ts'
import { copyText } from '../../base/ports.ts'
import { lazyPart } from '../../base/state/lazy-part.ts'
import { noOverlays, overlays$, type ShownReport } from '../../base/state/overlays.ts'
import { session } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { ReportLines } from '../../record/fields/ReportLines.tsx'
import { grow } from '../../record/form/Form.css.ts'
import { FormHost } from '../../record/form/FormHost.tsx'
import { serverCheckViews } from '../../record/overrides.ts'
import { ConfirmHost } from '../../record/questions/ConfirmHost.tsx'
import { Button } from '../../ui/Button.tsx'
import { well } from '../../ui/Note.css.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { Question, QuestionNote } from '../../ui/overlays/Question.tsx'
import { Palette } from '../palette/Palette.tsx'
import { keepWarm } from '../palette/search.ts'
import { ActivityHost } from './ActivityHost.tsx'
import { KeysHost } from './KeysHost.tsx'
import { Toasts } from './Toasts.tsx'
import { startToasts } from './toast-queue.ts'

const FilesHost = lazyPart(async () => (await import('../../files/FilePanel.tsx')).FilesHost)

/** Overlays by z-order, later ones above: forms, key sheet, palette, confirms, toasts. */
export function Overlays() {
  const isGuest = useValue(() => session.state$.profile.get() === null)
  const hasFiles = useValue(() => overlays$.files.get() !== null)
  useEffect(startToasts, [])
  useEffect(keepWarm, [])
  useEffect(() => {
    if (isGuest) overlays$.assign(noOverlays)
  }, [isGuest])
  return (
    <>
      {!isGuest && (
        <>
          <Suspense>{hasFiles && <FilesHost />}</Suspense>
          <FormHost />
          <KeysHost />
          <ActivityHost />
          <Palette />
          <ConfirmHost />
          <SecretHost />
          <ReportHost />
        </>
      )}
      <Toasts />
    </>
  )
}

function ReportHost() {
  const report = useValue(overlays$.report)
  return report && <Report {...report} />
}

function Report({ title, lines, resource, action, answer }: ShownReport) {
  const { t } = useTexts()
  const [isCopied, setCopied] = useCopied()
  const close = () => overlays$.report.set(null)
  useEffect(() => onCommand('confirm', close))
  const Answer = serverCheckViews[resource]?.[action]
  const copy = () => void copyText(lines.map(({ text }) => text).join('\n')).then(setCopied)
  return (
    <Dialog
      title={title}
      width={480}
      closeLabel={t('ui.frame.close')}
      onClose={close}
      footer={
        <>
          <Button icon={isCopied ? 'check' : 'copy'} onPress={copy}>
            {t('ui.keys.copySelection')}
          </Button>
          <span className={grow} />
          <Button autoFocus tone="primary" onPress={close} caps={capsOf('confirm')}>
            {t('ui.frame.close')}
          </Button>
        </>
      }
    >
      <Suspense>{Answer ? <Answer answer={answer} /> : <ReportLines report={() => lines} />}</Suspense>
    </Dialog>
  )
}

function SecretHost() {
  const secret = useValue(overlays$.secret)
  return secret && <Secret secret={secret} />
}

/** A secret that can’t be shown again closes only by its button, not by Escape. */
function Secret({ secret: { resource, of, text, again } }: { secret: Extract<Outcome, { kind: 'secret' }> }) {
  const { t, say } = useTexts()
  const [isCopied, setCopied] = useCopied()
  const label = say(fieldKey(resourceByName(resource), of))
  const close = () => overlays$.secret.set(null)
  useEffect(() => onCommand('confirm', close))
  return (
    <Question
      title={again ? label : `${label}: ${t('ui.secret.title')}`}
      text={again ? t('ui.secret.again') : t('ui.secret.help')}
      onClose={again ? close : () => undefined}
      footer={
        <>
          <QuestionNote />
          <Button autoFocus icon={isCopied ? 'check' : 'copy'} onPress={() => void copyText(text).then(setCopied)}>
            {t('ui.secret.copy')}
          </Button>
          <Button tone="primary" onPress={close} caps={capsOf('confirm')}>
            {again ? t('ui.frame.close') : t('ui.secret.saved')}
          </Button>
        </>
      }
    >
      <div className={well}>{text}</div>
    </Question>
  )
}
