import { useValue } from '@legendapp/state/react'
import { actionKey, actionOf, textKey, titleOf } from '@qd/core/define'
import { toAppError } from '@qd/core/errors'
import { nounOf } from '@qd/core/i18n'
import { recordMark, resourceByName } from '@qd/core/resources'
import { attentionText, changesText, formTargetsTexts } from '@qd/core/view'
import { useEffect, useState } from 'react'
import { onCommands } from '../../act/keys/commands.ts'
import { capsOf } from '../../act/keys/keys.ts'
import { copy, notifyError } from '../../act/perform/perform.ts'
import { setLeaving } from '../../base/state/form-leaving.ts'
import { listOf } from '../../base/state/list-state.ts'
import { type OpenForm, overlays$ } from '../../base/state/overlays.ts'
import { records, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { ErrorBoundary } from '../errors/ErrorPage.tsx'
import { type InPlace, MakeInPlace } from '../fields/inputs/input.ts'
import { Discard } from './Discard.tsx'
import * as css from './Form.css.ts'
import { presetsLabel, presets as row } from './Form.css.ts'
import { ConflictNote, FormFields } from './FormFields.tsx'
import { FormPreview, hasPreview } from './FormPreview.tsx'
import { type FormStart, type FormState, focusField, useForm } from './form-state.ts'

export function FormHost() {
  const open = useValue(overlays$.form)
  useValue(() => records.version$(overlays$.form.get()?.resource ?? 'setting').get())
  const start = open && startOf(open)
  const isMissing = open !== null && !start
  useEffect(() => {
    if (open && isMissing) void fetchRecord(open)
  }, [open, isMissing])
  if (!open || !start) return null
  return (
    <FormDialog
      key={`${open.resource} ${open.mode} ${open.id}`}
      start={start}
      onClose={close}
      onSaved={(id) => {
        if (id !== null && start.resource.wire.shape === 'many') listOf(start.resource).focusOn(id)
      }}
    />
  )
}

function startOf({ resource: name, mode, id, title }: OpenForm): FormStart | null {
  const resource = resourceByName(name)
  const row = id === null ? records.peekAll(name)[0] : records.peek(name, id)
  if (mode !== 'create' && !row) return null
  return { resource, mode, row: mode === 'create' ? null : row!, title }
}

async function fetchRecord({ resource: name, id }: OpenForm): Promise<void> {
  try {
    if (id !== null) await records.loadOne(name, id)
    else {
      await records.load(name)
      const error = records.list$(name).error.peek()
      if (error) throw error
    }
  } catch (thrown) {
    close()
    notifyError(toAppError(thrown))
  }
}

const close = () => overlays$.form.set(null)

/** `isWithin`: another form is open behind it. */
function FormDialog({
  start,
  onSaved,
  onClose: close,
  isWithin = false,
}: {
  start: FormStart
  onSaved: (id: number | null) => void
  onClose: () => void
  isWithin?: boolean
}) {
  const { t, say, translator } = useTexts()
  const [held] = useState(start)
  const { resource, mode, row } = held
  const state = useForm(held, (id) => {
    onSaved(id)
    close()
  })
  const [making, setMaking] = useState<InPlace | null>(null)
  const { form, isDirty, isSaving } = state
  const [leave, setLeave] = useState<((goes: boolean) => void) | null>(null)
  /** Asks if something would be lost; resolves true when the form may close. */
  const mayLeave = () =>
    isDirty || making ? new Promise<boolean>((resolve) => setLeave(() => resolve)) : Promise.resolve(true)
  const onClose = () => void mayLeave().then((goes) => goes && close())
  const copyLine = () => void copy(form.cliLine())
  useEffect(() => {
    // The form in front handles save; the one behind decides how both are left.
    if (making) return
    const cancel = onCommands({ save: () => void state.save(), copyCli: copyLine })
    return cancel
  })
  useEffect(() => {
    if (isWithin) return
    return setLeaving(async () => {
      const goes = await mayLeave()
      if (goes) close()
      return goes
    })
  })
  useEffect(() => focusField(state.root.current, null), [state.root])
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])

  const noun = nounOf(say(textKey.one(resource.name)), translator.language)
  const own = `ui.form.titles.${resource.name}.${mode}`
  const general = mode === 'create' ? say(actionKey(actionOf(resource, 'create'))) : t(`ui.form.${mode}`, { noun })
  const title = translator.has(own) ? say(own) : general
  const which =
    row && (resource.wire.shape === 'one' ? '' : `${titleOf(resource, row)} · ${recordMark(resource, row, view)}`)
  const isBeside = hasPreview(form)
  const targetPreview = form.targetPreview()
  const targets = targetPreview && formTargetsTexts(surface(), targetPreview)
  const attention = attentionText({ translator }, form)
  const changes = mode === 'edit' ? changesText({ translator }, form) : null
  return (
    <>
      <Dialog
        title={
          <span className={css.title}>
            {title}
            {which && <span className={css.which}>{which}</span>}
          </span>
        }
        width={isBeside ? 880 : 520}
        phone="fill"
        closeLabel={t('ui.frame.close')}
        onClose={onClose}
        sticky={isDirty}
        bare
        footer={
          <>
            <div className={css.aboveButtons}>{attention ?? targets?.idle ?? targets?.sentence}</div>
            <span className={css.onDesktop}>
              {isBeside ? (
                <Button tone="ghost" icon="terminal" onPress={copyLine} caps={capsOf('copyCli')}>
                  {t('ui.keys.copyCli')}
                </Button>
              ) : (
                <IconButton icon="terminal" label={t('ui.keys.copyCli')} caps={capsOf('copyCli')} onPress={copyLine} />
              )}
              <span className={attention ? css.wrong : css.summary} role="status">
                {attention ?? changes}
              </span>
            </span>
            <span className={css.grow} />
            <span className={css.buttons}>
              <Button onPress={onClose} caps={capsOf('escape')}>
                {t('ui.form.cancel')}
              </Button>
              <Button tone="primary" isPending={isSaving} onPress={() => void state.save()} caps={capsOf('save')}>
                {t('ui.keys.save')}
              </Button>
            </span>
          </>
        }
      >
        <div className={isBeside ? css.columns : css.single}>
          <MakeInPlace.Provider value={setMaking}>
            <FormFields state={state}>
              <ConflictNote state={state} />
              <FormPresets state={state} />
            </FormFields>
          </MakeInPlace.Provider>
          {isBeside && (
            <aside className={css.does} aria-label={t('ui.preview.label')}>
              <ErrorBoundary around="part">
                <FormPreview form={form} />
              </ErrorBoundary>
            </aside>
          )}
        </div>
      </Dialog>
      {making && (
        <FormDialog
          start={{ resource: making.resource, mode: 'create', row: null, title: making.title }}
          onSaved={making.onSaved}
          onClose={() => {
            setMaking(null)
            making.onEnd()
          }}
          isWithin
        />
      )}
      {leave && (
        <Discard
          changes={changesText({ translator }, form)}
          onAnswer={(goes) => {
            setLeave(null)
            leave(goes)
          }}
        />
      )}
    </>
  )
}

function FormPresets({ state: { form, edit } }: { state: Pick<FormState, 'form' | 'edit'> }) {
  const { t, say } = useTexts()
  const { resource, mode } = form
  const all = Object.entries(resource?.presets ?? {})
  if (!resource || mode !== 'create' || all.length === 0) return null
  const isOurs = (field: string, value: unknown) =>
    value === resource.initial[field] || all.some(([, values]) => values[field] === value)
  const begin = (values: Readonly<Record<string, unknown>>) =>
    edit(() => {
      const typed = form.values()
      for (const [field, value] of Object.entries(values))
        if (typeof value !== 'string' || isOurs(field, typed[field])) form.set(field, value)
    })
  return (
    <fieldset className={row} data-presets aria-label={t('ui.form.beginWith')}>
      <span className={presetsLabel}>{t('ui.form.beginWith')}</span>
      {all.map(([name, values]) => (
        <Button key={name} size="small" onPress={() => begin(values)}>
          {say(textKey.preset(resource.name, name))}
        </Button>
      ))}
    </fieldset>
  )
}
