import { readRecord, same } from '@qd/core/actions'
import { type AnyRow, fieldKey, type Resource, textKey } from '@qd/core/define'
import { type AppError, toAppError } from '@qd/core/errors'
import { nounOf, type Translator } from '@qd/core/i18n'
import { watchWithNeeds } from '@qd/core/store'
import { changesText, createForm, type FormModel } from '@qd/core/view'
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { notifyUnexpected } from '../../act/perform/perform.ts'
import { notify, overlays$ } from '../../base/state/overlays.ts'
import { runner } from '../../base/state/runner.ts'
import { client, records, session, view } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'

export interface FormStart {
  resource: Resource
  mode: 'create' | 'edit' | 'duplicate'
  row: AnyRow | null
  title?: string | undefined
}

export interface Conflict {
  theirs: AnyRow
  fields: readonly string[]
}

export interface FormState {
  form: FormModel
  edit: (change: () => void) => void
  /** Contains the inputs; the first invalid one is found here. */
  root: RefObject<HTMLDivElement | null>
  isSaving: boolean
  isDirty: boolean
  conflict: Conflict | null
  /** Saves the form; with `over`, in place of that version. */
  save: (over?: AnyRow) => Promise<void>
  restart: (row: AnyRow | null) => void
}

export function focusField(root: HTMLElement | null, field: string | null): void {
  const place = field === null ? root : root?.querySelector(`[data-field="${CSS.escape(field)}"]`)
  const control = place?.querySelector<HTMLElement>(
    'input:not([type="hidden"], [tabindex="-1"]), textarea, button:not([tabindex="-1"], [data-presets] *)',
  )
  control?.focus()
}

export function useForm(start: FormStart, onSaved: (id: number | null) => void): FormState {
  const { translator, t, say } = useTexts()
  const { resource, mode, title } = start
  const open = (row: AnyRow | null) => {
    const form = createForm({
      resource,
      mode,
      row: row && { ...row },
      view,
      viewer: session.viewer(),
      translator,
      supports: session.supports,
    })
    if (title !== undefined) form.set(resource.title, title)
    return form
  }
  const [form, setForm] = useState(() => open(start.row))
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const [isSaving, setSaving] = useState(false)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const root = useRef<HTMLDivElement>(null)
  /** A failure message is replaced by the next try. */
  const about = `form ${resource.name} ${mode} ${start.row?.id ?? ''}`

  useEffect(() => watchWithNeeds(records, resource), [resource])

  const refuse = (error: AppError) => {
    form.refuse(error)
    flushSync(draw)
    const [first] = form.shownProblems()
    if (first) focusField(root.current, first.field)
  }
  const meet = async (base: AnyRow) => {
    const theirs = await readRecord(client, resource, base.id)
    void records.refresh([resource.name])
    const fields = Object.keys(resource.input.shape).filter((field) => !same(theirs[field], base[field]))
    setConflict({ theirs, fields: fields.map((field) => say(fieldKey(resource, field))) })
  }
  const fail = async (error: AppError, base: AnyRow | null) => {
    if (error.code === 'conflict' && base) {
      return meet(base).catch((thrown) => {
        const why = toAppError(thrown)
        if (why.code === 'notFound') notify({ tone: 'bad', title: t('ui.form.gone') })
        else notifyUnexpected(why)
      })
    }
    if (error.problems.length > 0) refuse(error)
    const isOnField = error.problems.some(({ field }) => root.current?.querySelector(`[data-field="${field}"]`))
    if (!isOnField) notifyUnexpected(error, { note: t(error.mayBeDone ? 'ui.form.open' : 'ui.form.stillOpen'), about })
  }
  const save = async (over?: AnyRow) => {
    const submitted = form.submit()
    flushSync(draw)
    if (!submitted.ok) return focusField(root.current, submitted.first)
    if (isSaving) return
    setSaving(true)
    setConflict(null)
    const base = over ?? form.base
    const changes = changesText({ translator }, form)
    const report = await runner.save({ resource, mode, base, input: submitted.input })
    setSaving(false)
    if (report.kind === 'failed') return fail(report.error, base)
    const name = savedName(translator, { resource, sent: submitted.input, before: base })
    notify({
      tone: 'plain',
      title: t('ui.toast.saved', { name }),
      details: mode === 'edit' && changes !== null ? [changes] : [],
      canUndo: report.saved.undo !== null,
      about,
    })
    onSaved(report.saved.id)
    const { secret } = report.saved
    if (secret) overlays$.secret.set({ kind: 'secret', resource: resource.name, of: secret.field, text: secret.text })
  }
  return {
    form,
    edit(change) {
      change()
      draw()
    },
    root,
    isSaving,
    isDirty: form.changes().length > 0,
    conflict,
    save,
    restart(row) {
      setConflict(null)
      setForm(open(row))
    },
  }
}

export function savedName(
  { say, language }: Pick<Translator, 'say' | 'language'>,
  { resource, sent, before }: { resource: Resource; sent: Readonly<Record<string, unknown>>; before: AnyRow | null },
): string {
  if (resource.wire.shape === 'one') return nounOf(say(textKey.one(resource.name)), language)
  return String(sent[resource.title] ?? before?.[resource.title] ?? '')
}
