import type { AnyRow, Resource } from '@qd/core/define'
import { defined } from '@qd/core/errors'
import type { AuditChange } from '@qd/core/resources'

/** Shows that a secret changed, never its value. */
const hidden = '***'
/** In characters of JSON. */
const longest = 500
const most = 100

/** Differences in the editable fields of records. Of a created or deleted record: its non-empty fields. */
export function changesOf(
  resource: Pick<Resource, 'fields' | 'initial' | 'title'>,
  before: readonly AnyRow[],
  after: readonly AnyRow[],
): AuditChange[] {
  const ids = [...new Set([...before, ...after].map(({ id }) => id))]
  return ids
    .flatMap((id) => {
      const [old, now] = [before, after].map((rows) => rows.find((row) => row.id === id))
      const name = nameIn(resource, now ?? defined(old))
      return Object.keys(resource.initial)
        .filter((field) => !same(old?.[field], now?.[field]))
        .map((field) => {
          const isSecret = resource.fields[field]?.kind === 'secret'
          const said = (row: AnyRow | undefined) => (row === undefined ? null : kept(row[field], isSecret))
          return { id, name, field, before: said(old), after: said(now) }
        })
    })
    .slice(0, most)
}

export function namesOf(resource: Pick<Resource, 'title'>, rows: readonly AnyRow[]): string {
  return rows.map((row) => nameIn(resource, row)).join(', ')
}

const nameIn = ({ title }: Pick<Resource, 'title'>, row: AnyRow) => String(row[title] ?? '')

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || value === false || value === 0 || text(value) === '[]'

const text = (value: unknown) => JSON.stringify(value) ?? ''

const same = (a: unknown, b: unknown) => (isNothing(a) && isNothing(b)) || text(a) === text(b)

function kept(value: unknown, isSecret: boolean): unknown {
  if (isSecret) return isNothing(value) ? '' : hidden
  const whole = typeof value === 'string' ? value : text(value)
  return whole.length > longest ? `${whole.slice(0, longest)}…` : (value ?? '')
}
