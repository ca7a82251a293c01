import type { AnyRow, Resource, Values } from '@qd/core/define'
import { attentionText, changesText } from '@qd/core/view'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { copy } from '../../act/perform/perform.ts'
import { guardPage } from '../../act/places/navigate.ts'
import { setLeaving } from '../../base/state/form-leaving.ts'
import { records } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Discard } from './Discard.tsx'
import * as css from './Form.css.ts'
import { ConflictNote, FormFields } from './FormFields.tsx'
import { type FormState, focusField, useForm } from './form-state.ts'

/** The form of a single record, in its page. `onSaved` gets the sent values. */
export function InlineForm({
  resource,
  row,
  notes,
  onSaved,
}: {
  resource: Resource
  row: AnyRow
  notes?: Readonly<Record<string, string>>
  onSaved?: (sent: Values) => void
}) {
  const { t, translator } = useTexts()
  const state: FormState = useForm({ resource, mode: 'edit', row }, () => {
    const sent = state.form.sent()
    state.restart({ ...row, ...sent })
    // Patches the record at once, so that a form whose save is undone before the reload notices.
    records.patch(resource.name, row.id, sent)
    // Blurs the field, so that `z` is Undo and not a letter.
    if (document.activeElement instanceof HTMLElement && state.root.current?.contains(document.activeElement))
      document.activeElement.blur()
    onSaved?.(sent)
  })
  const { form, isDirty, isSaving, restart } = state
  const save = () => void state.save()
  // A stored record keeps its identity when fields change, so compare by value.
  const stored = JSON.stringify(Object.keys(resource.input.shape).map((field) => row[field]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: a record that changed elsewhere is taken over while nothing is typed
  useEffect(() => {
    if (!isDirty) restart(row)
  }, [stored])
  useEffect(() =>
    onCommands({
      save,
      copyCli: () => void copy(form.cliLine()),
      [`action:${resource.name}.edit`]: () => focusField(state.root.current, null),
    }),
  )
  const answer = useAsksFirst(isDirty, () => restart(row))
  const attention = attentionText({ translator }, form)
  return (
    <>
      <form noValidate onSubmit={(event) => event.preventDefault()} onKeyDown={leaveField}>
        <FormFields state={state} inline {...(notes ? { notes } : {})}>
          <ConflictNote state={state} />
        </FormFields>
      </form>
      {(isDirty || attention) && (
        <div data-foot className={css.inlineFoot}>
          <Button tone="ghost" icon="terminal" onPress={() => void copy(form.cliLine())} caps={capsOf('copyCli')}>
            {t('ui.keys.copyCli')}
          </Button>
          <span className={attention ? css.wrong : css.summary} role="status">
            {attention ?? changesText({ translator }, form)}
          </span>
          <span className={css.grow} />
          <span className={css.buttons}>
            <Button onPress={() => restart(row)}>{t('ui.form.discard')}</Button>
            <Button tone="primary" isPending={isSaving} onPress={save} caps={capsOf('save')}>
              {t('ui.keys.save')}
            </Button>
          </span>
        </div>
      )}
      {answer && <Discard changes={changesText({ translator }, form)} onAnswer={answer} />}
    </>
  )
}

/** Escape leaves the field; what was typed stays (behaviour P-33). */
function leaveField(event: KeyboardEvent) {
  if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur()
}

type Answer = ((goes: boolean) => void) | null

/** Asks before a page with unsaved input is left in any way. `discard` resets the form. */
function useAsksFirst(isDirty: boolean, discard: () => void): Answer {
  const [answer, setAnswer] = useState<Answer>(null)
  const latest = useRef(discard)
  latest.current = discard
  useEffect(() => {
    if (!isDirty) return
    const ask = async () => {
      const goes = await new Promise<boolean>((resolve) =>
        setAnswer(() => (isSure: boolean) => {
          setAnswer(null)
          resolve(isSure)
        }),
      )
      if (goes) {
        // The page may be left before this form has rendered as clean.
        stop()
        latest.current()
      }
      return goes
    }
    const stops = [setLeaving(ask), guardPage(ask)]
    const stop = () => {
      for (const end of stops) end()
    }
    return stop
  }, [isDirty])
  return answer
}
