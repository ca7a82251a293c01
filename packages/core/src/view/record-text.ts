import {
  type AnyRow,
  type Field,
  fieldOf,
  fieldValue,
  isSupported,
  type KindValue,
  type Resource,
  type ResourceName,
  type View,
} from '../define/index.ts'
import { inputText, machineValue, plainText } from '../fields/index.ts'

/** Whether a secret is stored: it is never sent, but `has` tells, or it is required. */
export function isStored({ needed, has }: Extract<Field, { kind: 'secret' }>, row: AnyRow, value: unknown): boolean {
  return needed === true || (has === undefined ? value !== '' : row[has] === true)
}

const withoutText: readonly Field['kind'][] = ['trend', 'days', 'part']

/** Whether a text can show it, such as a column that is printed. */
export const isPrinted = ({ kind }: Field): boolean => !withoutText.includes(kind)

/** The columns of a printed list: an ID that people know first, state last. Without `view` also what the server doesn’t report, empty. */
export function printedFields(resource: Resource, view: Pick<View, 'supports'> = {}): string[] {
  const { state, wire, fields } = resource
  const columns = resource.columns
    .filter(({ field, show }) => show !== 'detail' && isPrinted(fieldOf(resource, field)))
    .map(({ field }) => field)
  const all = [
    ...(wire.shape === 'many' && !fields.id?.hidden ? ['id'] : []),
    ...columns.filter((name) => name !== 'id'),
    ...(state && !columns.includes(state.field) ? [state.field] : []),
  ]
  return all.filter((name) => isSupported(fields[name], view))
}

/** A value for programs: references by title, no secrets. */
export function recordText(resource: Resource, row: AnyRow, name: string, view: View): string | null {
  const field = fieldOf(resource, name)
  if (!isSupported(field, view)) return null
  const value = fieldValue(resource, row, name, view)
  if (field.kind === 'secret') return isStored(field, row, value) ? 'set' : null
  if (field.kind === 'rules') return inputText(field, value, { fieldName: name, view }).replaceAll('\n', '; ') || null
  if (field.kind === 'reading') return readingText(value as KindValue['reading'])
  if (field.kind === 'targets') return targetWords(value as KindValue['targets'], view)
  if (field.kind !== 'ref' && field.kind !== 'refs') return machineText(field, value)
  const ids = (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number' && id > 0)
  return titlesOf(field.to, ids, view) || null
}

function titlesOf(to: ResourceName, ids: readonly number[], view: View): string {
  return ids.map((id) => plainText(view.title(to, id) ?? `#${id}`)).join(',')
}

/** `all`, `all except web-1,web-2`, `web-1`, `none`, or `alert` for the server that raised the alert. */
function targetWords({ mode, servers }: KindValue['targets'], view: View): string {
  const names = titlesOf('server', servers, view)
  if (mode === 'alert') return 'alert'
  if (mode === 'only') return names || 'none'
  return names === '' ? 'all' : `all except ${names}`
}

function readingText(reading: KindValue['reading']): string | null {
  if (reading === null) return null
  const { metric, value, limit } = reading
  const rounded = (number: number) => String(Number(number.toFixed(2)))
  return [metric, value === null ? '' : rounded(value), limit === null ? '' : `limit ${rounded(limit)}`]
    .filter((part) => part !== '')
    .join(' ')
}

/** A value for programs: RFC 3339, plain numbers, option names; null if unknown. */
function machineText(field: Field, value: unknown): string | null {
  return textOf(machineValue(field, value))
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((item) => textOf(item) ?? '').join(',')
  if (typeof value === 'number') return String(Number(value.toFixed(6)))
  return typeof value === 'object' ? plainText(JSON.stringify(value)) : String(value)
}
