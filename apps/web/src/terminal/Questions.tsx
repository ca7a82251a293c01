import { plainLines } from '@qd/core/define'
import { useEffect } from 'react'
import { onCommands } from '../act/keys/commands.ts'
import { capsOf } from '../act/keys/keys.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Question } from '../ui/overlays/Question.tsx'
import type { TerminalQuestion } from './shell.ts'
import { preview } from './TerminalPage.css.ts'

const shownCharacters = 2000

/** Asks before a paste runs lines and before the host writes to the clipboard (behaviours W-05, W-07). */
export function ShellQuestion({
  asked,
  name,
  onAnswer,
}: {
  asked: TerminalQuestion
  name: string
  onAnswer: (goOn: boolean) => void
}) {
  const { t } = useTexts()
  useEffect(() => onCommands({ confirm: () => onAnswer(true) }))
  const isPaste = asked.kind === 'paste'
  const text = plainLines(isPaste ? asked.paste.text : asked.text)
  return (
    <Question
      title={
        isPaste ? t('ui.terminal.paste.title', { count: asked.paste.lines }) : t('ui.terminal.host.title', { name })
      }
      text={t(isPaste ? 'ui.terminal.paste.text' : 'ui.terminal.host.text')}
      onClose={() => onAnswer(false)}
      footer={
        <>
          <Button autoFocus onPress={() => onAnswer(false)} caps={capsOf('escape')}>
            {t('ui.form.cancel')}
          </Button>
          <Button tone="primary" onPress={() => onAnswer(true)} caps={capsOf('confirm')}>
            {t(isPaste ? 'ui.terminal.paste.go' : 'ui.terminal.host.go')}
          </Button>
        </>
      }
    >
      <textarea
        className={preview}
        readOnly
        dir="ltr"
        rows={Math.min(8, text.split('\n').length)}
        aria-label={t('ui.terminal.tools')}
        value={text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text}
      />
    </Question>
  )
}

export function Completed({ onNew, onClose }: { onNew: () => void; onClose: () => void }) {
  const { t } = useTexts()
  return (
    <Question
      title={t('ui.terminal.completed')}
      text={t('ui.terminal.mayClose')}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} caps={capsOf('escape')}>
            {t('ui.frame.close')}
          </Button>
          <Button autoFocus tone="primary" onPress={onNew}>
            {t('ui.terminal.newShell')}
          </Button>
        </>
      }
    />
  )
}
