import type { Question } from '@qd/core/actions'
import { actionKey, fieldKey, textKey, titleOf, type Values } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { nounOf } from '@qd/core/i18n'
import { type FormModel, presentCell } from '@qd/core/view'
import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf, capsOfChord } from '../../act/keys/keys.ts'
import { copy } from '../../act/perform/perform.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { FieldInput } from '../../record/form/FieldInput.tsx'
import { focusField } from '../../record/form/form-state.ts'
import { ActionPreview } from '../../record/questions/ActionPreview.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { Keycap } from '../../ui/Keycap.tsx'
import * as palette from './Palette.css.ts'
import * as css from './PaletteArguments.css.ts'

/** Asks for an action’s arguments one by one beside its preview (behaviour P-17). */
export function PaletteArguments({
  question,
  form,
  onBack,
  onRun,
}: {
  question: Question
  form: FormModel
  onBack: () => void
  onRun: (values: Values) => void
}) {
  const { t, say, translator } = useTexts()
  const { action, resource, rows } = question
  const [at, setAt] = useState(0)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const root = useRef<HTMLDivElement>(null)
  const fields = form.groups().flatMap((group) => group.fields)
  const current = fields[Math.min(at, fields.length - 1)]!
  const isLast = at >= fields.length - 1

  useEffect(() => focusField(root.current, current.field), [current.field])
  const run = () => {
    const submitted = form.submit()
    if (submitted.ok) return onRun(submitted.input)
    const wrong = fields.findIndex(({ field }) => field === submitted.first)
    flushSync(() => (wrong < 0 ? draw() : setAt(wrong)))
    focusField(root.current, submitted.first)
  }
  const next = () => {
    form.touch(current.field)
    draw()
    if (form.problems().some(({ field }) => field === current.field)) return
    if (isLast) run()
    else setAt(at + 1)
  }
  const previous = () => (at === 0 ? onBack() : setAt(at - 1))
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !(event.target instanceof HTMLElement)) return
    const isOpenList = event.target.getAttribute('aria-expanded') === 'true'
    const isText = event.target.matches('input:not([type="radio"], [type="checkbox"]), textarea')
    const isEmpty = !isText || form.text(current.field) === ''
    if (event.key === 'Enter' && !event.shiftKey && !isOpenList && !event.target.closest('button')) next()
    else if (event.key === 'Backspace' && isEmpty) previous()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  useEffect(() => onCommands({ openApart: run, copyCli: () => void copy(form.cliLine()) }))

  const hasPreview = question.confirm !== null || form.preview() !== null
  const noun = nounOf(say(textKey.many(resource.name)), translator.language)
  const hints = [
    { caps: capsOfChord('Backspace'), text: t(at === 0 ? 'ui.palette.back' : 'ui.palette.previousStep') },
    { caps: capsOf('copyCli'), text: t('ui.palette.copyCli') },
  ]
  return (
    <div ref={root} className={css.root} onKeyDownCapture={onKeyDown}>
      <div className={palette.head}>
        <IconButton size="small" icon="arrow-left" label={t('ui.palette.back')} onPress={onBack} />
        {rows.length > 0 && (
          <span className={palette.chip}>
            <Icon name={resource.icon} size={14} />
            <span className={palette.chipText}>
              {rows.length === 1
                ? titleOf(resource, firstItem(rows))
                : t('ui.confirm.objects', { number: rows.length, noun })}
            </span>
          </span>
        )}
        <span className={palette.chip}>
          <Icon name={action.icon} size={14} />
          <span className={palette.chipText}>{say(actionKey(action))}</span>
        </span>
        <span className={css.step} role="status">
          {t('ui.palette.step', { step: at + 1, steps: fields.length })}
        </span>
      </div>
      <div className={hasPreview ? css.split : css.alone}>
        <div className={css.said}>
          {at > 0 && (
            <dl className={css.given}>
              {fields.slice(0, at).map(({ field, value }) => (
                <div key={field} className={css.pair}>
                  <dt>
                    <span className={css.done}>
                      <Icon name="check" size={14} />
                    </span>
                    <span className={css.name}>{say(fieldKey(form.shape, field))}</span>
                  </dt>
                  <dd>
                    <span className={css.value}>
                      {presentCell(surface(), { resource: form.shape, row: { id: 0 }, field, value }).text}
                    </span>
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <FieldInput
            key={current.field}
            form={form}
            shown={current}
            edit={(change) => {
              change()
              draw()
            }}
          />
        </div>
        {hasPreview && (
          <aside className={css.does} aria-label={t('ui.preview.label')}>
            <ActionPreview question={question} form={form} />
          </aside>
        )}
      </div>
      <div className={palette.foot}>
        <code className={palette.cli} title={form.cliLine()}>
          {form.cliLine()}
        </code>
        {hints.map(({ caps, text }) => (
          <span key={text} className={palette.footHint}>
            <Keycap caps={caps} />
            {text}
          </span>
        ))}
        <Button size="small" tone="primary" caps={capsOfChord('Enter')} onPress={next}>
          {isLast ? say(actionKey(action)) : t('ui.palette.nextStep')}
        </Button>
      </div>
    </div>
  )
}
