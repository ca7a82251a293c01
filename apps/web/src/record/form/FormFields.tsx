import { textKey } from '@qd/core/define'
import type { FormField } from '@qd/core/view'
import { type ReactNode, useId } from 'react'
import { useTexts } from '../../base/state/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { ErrorBoundary } from '../errors/ErrorPage.tsx'
import { FieldInput } from './FieldInput.tsx'
import * as css from './Form.css.ts'
import type { FormState } from './form-state.ts'

export function FormFields({
  state,
  inline = false,
  notes = {},
  children,
}: {
  state: Pick<FormState, 'form' | 'edit' | 'root'>
  inline?: boolean
  notes?: Readonly<Record<string, string>>
  children?: ReactNode
}) {
  const { say } = useTexts()
  const { form, edit, root } = state
  const id = useId()
  return (
    <div ref={root} className={inline ? undefined : css.said} data-form>
      {children}
      {form.groups().map(({ group, fields }) => (
        <fieldset
          key={group}
          data-section={group}
          aria-labelledby={`${id}-${group}`}
          className={inline ? css.inlineGroup : css.group}
        >
          {inline ? (
            <div>
              <h2 id={`${id}-${group}`}>{say(textKey.group(form.shape.name, group))}</h2>
              {notes[group] && <p className={css.groupNote}>{notes[group]}</p>}
            </div>
          ) : (
            <div id={`${id}-${group}`} className={css.legend}>
              {say(textKey.group(form.shape.name, group))}
            </div>
          )}
          <div className={css.fields}>
            {placed(fields, inline).map(({ shown, place }) => (
              <div key={shown.field} className={css.field[place]}>
                <ErrorBoundary around="part">
                  <FieldInput form={form} shown={shown} edit={edit} />
                </ErrorBoundary>
              </div>
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  )
}

/** Positions in the two columns of a group. A switch beside a labelled input aligns with its control. */
function placed(fields: readonly FormField[], inline: boolean) {
  let left: FormField | null = null
  return fields.map((shown) => {
    const isWide = shown.wide || inline
    const isLowered = left !== null && left.definition.kind !== 'flag' && shown.definition.kind === 'flag'
    left = isWide || left !== null ? null : shown
    return { shown, place: isWide ? ('wide' as const) : isLowered ? ('lowered' as const) : ('half' as const) }
  })
}

export function ConflictNote({ state: { conflict, restart, save } }: { state: FormState }) {
  const { t } = useTexts()
  if (!conflict) return null
  return (
    <Note tone="warn" title={t('ui.form.conflict')}>
      {conflict.fields.length > 0 && t('ui.form.conflictFields', { names: conflict.fields })}
      <div className={css.conflict}>
        <Button size="small" onPress={() => restart(conflict.theirs)}>
          {t('ui.form.takeTheirs')}
        </Button>
        <Button size="small" onPress={() => void save(conflict.theirs)}>
          {t('ui.form.overwrite')}
        </Button>
      </div>
    </Note>
  )
}
