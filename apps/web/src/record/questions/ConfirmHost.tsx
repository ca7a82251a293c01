import { actionLine, type Confirm, isTyped, sayText, wordsToType } from '@qd/core/actions'
import { textKey } from '@qd/core/define'
import { nounOf } from '@qd/core/i18n'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { copy } from '../../act/perform/perform.ts'
import { type PendingQuestion, questions } from '../../base/state/overlays.ts'
import { view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Input } from '../../ui/inputs/Input.tsx'
import { Question, QuestionNote } from '../../ui/overlays/Question.tsx'
import { ActionDialog } from './ActionDialog.tsx'
import * as css from './ConfirmParts.css.ts'
import { Facts, Objects, Targets, Warnings } from './ConfirmParts.tsx'

export function ConfirmHost() {
  const asked = useSyncExternalStore(questions.subscribe, questions.current)
  const [count, setCount] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each question begins anew
  useEffect(() => setCount((before) => before + 1), [asked])
  if (!asked) return null
  const { args, confirm } = asked.question
  if (args) return <ActionDialog key={count} asked={asked} args={args} />
  return confirm && <ConfirmDialog key={count} asked={asked} confirm={confirm} />
}

function ConfirmDialog({ asked, confirm }: { asked: PendingQuestion; confirm: Confirm }) {
  const { t, say, translator } = useTexts()
  const { answer, question } = asked
  const { rows } = question
  const { kind, resource, objects, action } = confirm
  const words = wordsToType(confirm, translator)
  const [typed, setTyped] = useState('')
  const isReady = isTyped(words, typed)
  const go = () => isReady && answer({})
  useEffect(() => onCommands({ confirm: () => void go(), copyCli: () => void copy(actionLine(action, rows, view)) }))
  const label = sayText(translator, confirm.go)
  const isTargets = kind === 'targets'
  const text = isTargets ? (objects[0]?.name ?? null) : confirm.text && sayText(translator, confirm.text)
  const noun = nounOf(say(textKey.many(resource.name)), translator.language)
  return (
    <Question
      title={sayText(translator, confirm.title)}
      text={text}
      onClose={() => answer(null)}
      footer={
        <>
          <QuestionNote>{words !== null && !isReady && t('ui.confirm.waits', { action: label })}</QuestionNote>
          <Button autoFocus onPress={() => answer(null)} caps={capsOf('escape')}>
            {t('ui.form.cancel')}
          </Button>
          <Button
            tone={isReady ? (action.tone === 'bad' ? 'danger' : 'primary') : 'plain'}
            reason={isReady ? null : t('ui.confirm.waits', { action: label })}
            onPress={go}
            caps={capsOf('confirm')}
          >
            {objects.length > 1 ? t('ui.confirm.goCount', { action: label, count: objects.length }) : label}
          </Button>
        </>
      }
    >
      {isTargets ? (
        <>
          {confirm.command !== null && <pre className={css.command}>{confirm.command}</pre>}
          <Targets confirm={confirm} rows={rows} />
        </>
      ) : (
        <>
          <div className={css.part}>
            {objects.length > 1 && <b>{t('ui.confirm.objects', { number: objects.length, noun })}</b>}
            <Objects confirm={confirm} />
          </div>
          <Facts confirm={confirm} rows={rows} />
        </>
      )}
      <Warnings confirm={confirm} />
      {words !== null && (
        <Input
          label={t('ui.confirm.type', { words })}
          value={typed}
          onChange={setTyped}
          placeholder={words}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Question>
  )
}
