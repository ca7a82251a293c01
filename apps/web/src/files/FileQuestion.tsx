import { type ConflictAnswer, type ConflictChoice, pastPaths, shownName } from '@qd/core/files'
import { firstNames } from '@qd/core/i18n'
import { type FormEvent, useEffect, useState } from 'react'
import { onCommands } from '../act/keys/commands.ts'
import { capsOf } from '../act/keys/keys.ts'
import { remembered } from '../base/state/stores.ts'
import { useTexts } from '../base/state/texts.ts'
import { Button } from '../ui/Button.tsx'
import { Input } from '../ui/inputs/Input.tsx'
import { Switch } from '../ui/inputs/Toggle.tsx'
import { Dialog } from '../ui/overlays/Dialog.tsx'
import { Question, QuestionNote } from '../ui/overlays/Question.tsx'
import * as css from './FilePanel.css.ts'
import type { FileManager, PendingQuestion } from './file-manager.ts'

export function FileQuestion({ asked, manager }: { asked: PendingQuestion; manager: FileManager }) {
  if (asked.kind === 'conflict')
    return <ConflictQuestion {...asked} empties={!manager.controller.can().has('resume')} />
  if (asked.kind === 'leave') return <LeaveQuestion onAnswer={asked.answer} />
  if (asked.kind === 'remove') return <RemoveQuestion names={asked.names} onAnswer={asked.answer} />
  if (asked.kind === 'name') return <NameDialog {...asked} onAnswer={asked.answer} />
  return <GoToDialog server={manager.server} onAnswer={asked.answer} />
}

/** `empties`: the agent truncates a file before writing the new one; ours replaces it when complete (behaviour W-27). */
function ConflictQuestion({
  conflict,
  answer,
  empties,
}: Extract<PendingQuestion, { kind: 'conflict' }> & { empties: boolean }) {
  const { t } = useTexts()
  const [forAll, setForAll] = useState(false)
  const choose = (choice: ConflictChoice) => answer({ choice, forAll } satisfies ConflictAnswer)
  useEffect(() => onCommands({ confirm: () => choose(conflict.isFolder ? 'keep-both' : 'replace') }))
  return (
    <Question
      title={t('ui.files.conflict.title', { name: shownName(conflict.name) })}
      text={conflict.isFolder ? t('ui.files.conflict.folder') : empties ? t('ui.files.conflict.text') : null}
      onClose={() => answer(null)}
      footer={
        <>
          <QuestionNote>
            {conflict.more > 0 && (
              <Switch
                label={t('ui.files.conflict.forAll', { count: conflict.more })}
                value={forAll}
                onChange={setForAll}
              />
            )}
          </QuestionNote>
          <Button autoFocus onPress={() => choose('skip')}>
            {t('ui.files.conflict.skip')}
          </Button>
          <Button onPress={() => choose('keep-both')}>{t('ui.files.conflict.keepBoth')}</Button>
          {!conflict.isFolder && (
            <Button tone="danger" caps={capsOf('confirm')} onPress={() => choose('replace')}>
              {t('ui.files.conflict.replace')}
            </Button>
          )}
        </>
      }
    />
  )
}

function LeaveQuestion({ onAnswer }: { onAnswer: (goes: boolean) => void }) {
  const { t } = useTexts()
  useEffect(() => onCommands({ confirm: () => onAnswer(true) }))
  return (
    <Question
      title={t('ui.files.leave.title')}
      text={t('ui.files.leave.text')}
      onClose={() => onAnswer(false)}
      footer={
        <>
          <Button autoFocus caps={capsOf('escape')} onPress={() => onAnswer(false)}>
            {t('ui.files.leave.stay')}
          </Button>
          <Button tone="danger" caps={capsOf('confirm')} onPress={() => onAnswer(true)}>
            {t('ui.files.leave.go')}
          </Button>
        </>
      }
    />
  )
}

const namesShown = 5

function RemoveQuestion({ names, onAnswer }: { names: readonly string[]; onAnswer: (goes: boolean) => void }) {
  const texts = useTexts()
  const { t } = texts
  useEffect(() => onCommands({ confirm: () => onAnswer(true) }))
  const all = firstNames(names, namesShown, texts, shownName)
  return (
    <Question
      title={t('ui.files.remove.title', { names: all })}
      text={t('ui.files.remove.text')}
      onClose={() => onAnswer(false)}
      footer={
        <>
          <Button autoFocus caps={capsOf('escape')} onPress={() => onAnswer(false)}>
            {t('ui.form.cancel')}
          </Button>
          <Button tone="danger" caps={capsOf('confirm')} onPress={() => onAnswer(true)}>
            {t('ui.keys.removeEntries')}
          </Button>
        </>
      }
    />
  )
}

function NameDialog({
  title,
  start,
  onAnswer,
}: {
  title: string
  start: string
  onAnswer: (name: string | null) => void
}) {
  const { t } = useTexts()
  const [name, setName] = useState(start)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name !== '') onAnswer(name)
  }
  return (
    <Dialog
      title={title}
      width={480}
      closeLabel={t('ui.frame.close')}
      onClose={() => onAnswer(null)}
      footer={
        <>
          <span className={css.grow} />
          <Button onPress={() => onAnswer(null)}>{t('ui.form.cancel')}</Button>
          <Button tone="primary" onPress={() => name !== '' && onAnswer(name)}>
            {t('ui.files.confirm')}
          </Button>
        </>
      }
    >
      <form onSubmit={submit}>
        <Input label={t('ui.files.name')} value={name} onChange={setName} autoFocus spellCheck={false} dir="ltr" />
      </form>
    </Dialog>
  )
}

/** Opens a typed path or a recent folder (product spec: Close and Confirm; behaviour W-24). */
function GoToDialog({ server, onAnswer }: { server: number; onAnswer: (path: string | null) => void }) {
  const { t } = useTexts()
  const [path, setPath] = useState('')
  const recent = pastPaths(remembered, server)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAnswer(path)
  }
  return (
    <Dialog
      title={t('ui.keys.goToPath')}
      width={480}
      closeLabel={t('ui.frame.close')}
      onClose={() => onAnswer(null)}
      footer={
        <>
          <span className={css.grow} />
          <Button onPress={() => onAnswer(null)}>{t('ui.frame.close')}</Button>
          <Button tone="primary" onPress={() => onAnswer(path)}>
            {t('ui.files.confirm')}
          </Button>
        </>
      }
    >
      <form onSubmit={submit}>
        <Input
          label={t('ui.files.path')}
          help={t('ui.files.pathHelp')}
          value={path}
          onChange={setPath}
          face="mono"
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="ltr"
        />
      </form>
      {recent.length > 0 && (
        <div className={css.ended}>
          <b className={css.small}>{t('ui.files.recent')}</b>
          {recent.slice(0, 6).map((one) => (
            <button key={one} type="button" className={css.crumb} onClick={() => onAnswer(one)}>
              <bdi>{shownName(one)}</bdi>
            </button>
          ))}
        </div>
      )}
    </Dialog>
  )
}
