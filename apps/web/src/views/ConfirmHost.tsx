import { actionLine, type Confirm, isTyped, sayText, wordsToType } from '@qd/core/actions'
import { type AnyRow, textKey } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { reachOfAction } from '@qd/core/view'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { onCommands } from '../commands.ts'
import { capsOf } from '../keys.ts'
import { nounOf } from '../nouns.ts'
import { type Asked, questions } from '../overlays.ts'
import { copy } from '../perform.ts'
import { records, session, view } from '../stores.ts'
import { useTexts } from '../texts.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Input } from '../ui/Input.tsx'
import { Question, QuestionNote } from '../ui/Question.tsx'
import { StateMark } from '../ui/StateMark.tsx'
import * as css from './ConfirmHost.css.ts'
import { ReachView } from './FormPreview.tsx'

/** So many objects are named; the rest is counted. */
const objectsShown = 30

/** The question that waits for its answer, if there is one. */
export function ConfirmHost() {
  const asked = useSyncExternalStore(questions.subscribe, questions.current)
  const [count, setCount] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each question begins anew
  useEffect(() => setCount((before) => before + 1), [asked])
  const confirm = asked?.question.confirm
  return asked && confirm && <ConfirmDialog key={count} asked={asked} confirm={confirm} />
}

function ConfirmDialog({ asked, confirm }: { asked: Asked; confirm: Confirm }) {
  const { t, say, translator } = useTexts()
  const { answer } = asked
  const { kind, resource, objects, action } = confirm
  const words = wordsToType(confirm, translator)
  const [typed, setTyped] = useState('')
  const isReady = isTyped(words, typed)
  const go = () => isReady && answer({})
  const rows = objects.flatMap(({ id }) => records.peek(resource.name, id) ?? [])
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
        <Targets confirm={confirm} rows={rows} />
      ) : (
        <>
          <div className={css.part}>
            {objects.length > 1 && <b>{t('ui.confirm.objects', { number: objects.length, noun })}</b>}
            <Objects confirm={confirm} />
          </div>
          <Facts confirm={confirm} />
        </>
      )}
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

function Objects({ confirm: { objects, resource } }: { confirm: Confirm }) {
  const { t, say } = useTexts()
  const more = objects.length - objectsShown
  return (
    <ul className={css.objects}>
      {objects.slice(0, objectsShown).map(({ id, name, state }) => (
        <li key={id} className={css.object}>
          {resource.state && state && <StateMark tone={state.tone} label={say(state.label)} />}
          <span className={css.name} title={name}>
            {name}
          </span>
        </li>
      ))}
      {more > 0 && <li className={css.object}>{t('ui.picker.more', { count: more })}</li>}
    </ul>
  )
}

/** How many objects stand how, and which records elsewhere name them. */
function Facts({ confirm: { counts, referring, resource } }: { confirm: Confirm }) {
  const { t, say, format, translator } = useTexts()
  const hasStates = resource.state !== null && counts.length > 0
  if (!hasStates && referring.length === 0) return null
  return (
    <ul className={css.facts}>
      {hasStates && (
        <li className={css.fact}>
          <span className={css.icon}>
            <Icon name="info" size={14} />
          </span>
          {format.list(counts.map(({ count, label }) => t('ui.confirm.count', { number: count, state: say(label) })))}
        </li>
      )}
      {referring.map(({ resource, label, names }) => (
        <li key={resource} className={css.fact}>
          <span className={css.icon}>
            <Icon name={resourceByName(resource)!.icon} size={14} />
          </span>
          {t('ui.confirm.referring', { noun: nounOf(sayText(translator, label), translator.language), names })}
        </li>
      ))}
    </ul>
  )
}

/** The exact servers an action reaches, and those that will miss it. */
function Targets({ confirm: { action, resource }, rows }: { confirm: Confirm; rows: readonly AnyRow[] }) {
  const reach = reachOfAction(action, resource, rows, { view, viewer: session.viewer() })
  if (!reach) return null
  const named = reach.targets.online.map((id) => ({ id, name: view.title('server', id) ?? `#${id}` }))
  return (
    <>
      <ReachView reach={reach} isRun />
      {named.length > 0 && (
        <ul className={css.objects}>
          {named.map(({ id, name }) => (
            <li key={id} className={css.object}>
              <StateMark tone="ok" label="" decorative />
              <span className={css.name} title={name}>
                {name}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
