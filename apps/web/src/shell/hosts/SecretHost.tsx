import { useValue } from '@legendapp/state/react'
import { fieldKey, type Outcome } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { useEffect } from 'react'
import { onCommand } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { useCopied } from '../../base/hooks/use-copied.ts'
import { copyText } from '../../base/ports.ts'
import { overlays$ } from '../../base/state/overlays.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { well } from '../../ui/Note.css.ts'
import { Question, QuestionNote } from '../../ui/overlays/Question.tsx'

/** A secret text, to be read and copied; one that is shown only once stays until the person says that it is kept. */
export function SecretHost() {
  const secret = useValue(overlays$.secret)
  return secret && <Secret secret={secret} />
}

/** What cannot be had again only its own button closes: Escape would throw it away. */
function Secret({ secret: { resource, of, text, again } }: { secret: Extract<Outcome, { kind: 'secret' }> }) {
  const { t, say } = useTexts()
  const [isCopied, setCopied] = useCopied()
  const label = say(fieldKey(resourceByName(resource)!, of))
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
