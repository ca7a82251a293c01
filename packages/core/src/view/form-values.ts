import {
  type AnyRow,
  type Field,
  type FormShape,
  holds,
  isSupported,
  type Resource,
  type Values,
  type View,
} from '../define/index.ts'
import type { Problem } from '../errors.ts'
import type { Translator } from '../i18n/index.ts'
import { selectedTargets } from '../resources/index.ts'

export type FormMode = 'create' | 'edit' | 'duplicate'

/** Initial values, or those of a record. Stored secrets are never filled in. */
export function startingValues({
  resource,
  mode,
  row,
  view,
  translator,
}: {
  resource: Resource
  mode: FormMode
  row: AnyRow | null
  view: View
  translator: Translator
}): Values {
  const { initial, title } = resource
  if (mode === 'create' || !row) return { ...initial }
  const stored = Object.keys(initial).map((field) => {
    const isSecret = resource.fields[field]?.kind === 'secret'
    return [field, isSecret || row[field] === undefined ? initial[field] : row[field]]
  })
  const values: Record<string, unknown> = Object.fromEntries(stored)
  if (mode === 'duplicate' && typeof values[title] === 'string') {
    values[title] = copyName(values[title], titlesOf(resource, view), translator)
  }
  return values
}

function titlesOf(resource: Resource, view: View): ReadonlySet<unknown> {
  return new Set(view.all(resource.name).map((row) => row[resource.title]))
}

/** "web copy"; if taken "web copy 2", "web copy 3"… */
function copyName(name: string, taken: ReadonlySet<unknown>, translator: Translator): string {
  const copy = translator.t('ui.form.copyName', { name })
  if (!taken.has(copy)) return copy
  for (let number = 2; ; number += 1) {
    const next = translator.t('ui.form.copyNumber', { name, number })
    if (!taken.has(next)) return next
  }
}

export function visibleFields(shape: FormShape, values: Values): string[] {
  return shape.form.flatMap(({ fields }) => fields.filter(({ when }) => holds(when, values)).map(({ field }) => field))
}

const oneLine: readonly Field['kind'][] = ['text', 'address', 'schedule']

/**
 * The values to send, one-line texts trimmed. A hidden field has its initial value; if it was hidden before the edit already, its stored value,
 * which nobody meant to change.
 */
export function sentValues(shape: FormShape, values: Values, base: Values | null): Values {
  const visible = new Set(visibleFields(shape, values))
  const visibleBefore = new Set(base ? visibleFields(shape, base) : Object.keys(values))
  const asked = new Set(shape.form.flatMap(({ fields }) => fields.map(({ field }) => field)))
  const entries = Object.entries(values).map(([field, value]) => {
    if (asked.has(field) && !visible.has(field)) {
      const isKept = !visibleBefore.has(field) && shape.input.shape[field]?.safeParse(base?.[field]).success
      return [field, isKept ? base?.[field] : shape.initial[field]]
    }
    const kind = shape.fields[field]?.kind
    return [field, kind && oneLine.includes(kind) && typeof value === 'string' ? value.trim() : value]
  })
  return Object.fromEntries(entries)
}

/** Lists of references have no order. */
export function sameValue(a: unknown, b: unknown, kind?: Field['kind']): boolean {
  if (kind === 'refs' && Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((id) => b.includes(id))
  }
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

export function firstVisible(problems: readonly Problem[], shape: FormShape, values: Values): string | null {
  const visible = visibleFields(shape, values)
  return problems.find(({ field }) => visible.includes(field))?.field ?? null
}

/** A form without fields that the server doesn’t support, and without empty groups. */
export function withoutUnsupported(shape: FormShape, supports: (capability: string) => boolean): FormShape {
  const supported = shape.form.map(({ group, fields }) => ({
    group,
    fields: fields.filter(({ field }) => isSupported(shape.fields[field], { supports })),
  }))
  return { ...shape, form: supported.filter(({ fields }) => fields.length > 0) }
}

/** The servers that a selection takes in now; nothing for other fields. */
export function filledByChoice(
  resource: Resource,
  values: Values,
  { field, view }: { field: string; view: View },
): Values {
  const isChoice = field === 'server_query' || (field === 'follows' && values.follows === true)
  return isChoice ? selectedTargets(resource, values, view) : {}
}
