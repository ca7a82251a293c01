import { useValue } from '@legendapp/state/react'
import { fieldKey, type Outcome } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { useEffect } from 'react'
import { useCopied } from '../hooks/use-copied.ts'
import { onCommand } from '../keys/commands.ts'
import { capsOf } from '../keys/keys.ts'
import { copyText } from '../ports.ts'
import { overlays$ } from '../state/overlays.ts'
import { useTexts } from '../state/texts.ts'
import { Button } from '../ui/Button.tsx'
import { well } from '../ui/Note.css.ts'
import { Question, QuestionNote } from '../ui/overlays/Question.tsx'

/** A text that is shown once and never again, until the person says that it is kept. */
export function SecretHost() {
  const secret = useValue(overlays$.secret)
  return secret && <Secret secret={secret} />
}

/** Only its own button closes it: Escape would throw away what cannot be had again. */
function Secret({ secret: { resource, of, text } }: { secret: Extract<Outcome, { kind: 'secret' }> }) {
  const { t, say } = useTexts()
  const [isCopied, setCopied] = useCopied()
  const close = () => overlays$.secret.set(null)
  useEffect(() => onCommand('confirm', close))
  return (
    <Question
      title={`${say(fieldKey(resourceByName(resource)!, of))}: ${t('ui.secret.title')}`}
      text={t('ui.secret.help')}
      onClose={() => undefined}
      footer={
        <>
          <QuestionNote />
          <Button autoFocus icon={isCopied ? 'check' : 'copy'} onPress={() => void copyText(text).then(setCopied)}>
            {t('ui.secret.copy')}
          </Button>
          <Button tone="primary" onPress={close} caps={capsOf('confirm')}>
            {t('ui.secret.saved')}
          </Button>
        </>
      }
    >
      <div className={well}>{text}</div>
    </Question>
  )
}
