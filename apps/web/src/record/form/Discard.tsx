import { useEffect } from 'react'
import { onCommand } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Question, QuestionNote } from '../../ui/overlays/Question.tsx'

export function Discard({ changes, onAnswer }: { changes: string | null; onAnswer: (goes: boolean) => void }) {
  const { t } = useTexts()
  useEffect(() => onCommand('confirm', () => void onAnswer(true)), [onAnswer])
  return (
    <Question
      title={t('ui.form.discardTitle')}
      text={changes}
      onClose={() => onAnswer(false)}
      footer={
        <>
          <QuestionNote />
          <Button autoFocus onPress={() => onAnswer(false)} caps={capsOf('escape')}>
            {t('ui.form.keepEditing')}
          </Button>
          <Button tone="danger" onPress={() => onAnswer(true)} caps={capsOf('confirm')}>
            {t('ui.form.discard')}
          </Button>
        </>
      }
    />
  )
}
