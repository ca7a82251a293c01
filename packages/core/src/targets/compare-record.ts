import { type Field, isEmpty, type ResourceName, type TargetSelection, type View } from '../define/index.ts'
import { textTest } from './compare-text.ts'
import type { Comparison, Matcher, Operand } from './selection.ts'

/** Records by title or ID: the whole title, unless it has a `*` or is still being typed. */
function idsMeant(operand: Operand, to: ResourceName, view: View): ReadonlySet<number> {
  const wanted = operand.text.toLowerCase()
  const whole = textTest({ ...operand, operator: '=' })
  const fits = (title: string) => whole(title) || (operand.prefix && title.toLowerCase().startsWith(wanted))
  return new Set([...idsTitled(fits, to, view), ...idIn(operand)])
}

export function idsTitled(test: (title: string) => boolean, to: ResourceName, view: View): number[] {
  const ids = view.all(to).map(({ id }) => id)
  return ids.filter((id) => test(view.title(to, id) ?? ''))
}

/** The ID in a text, `12` or `#12`, as a list of none or one. */
export function idIn({ text, quoted }: { text: string; quoted: boolean }): number[] {
  const digits = quoted ? undefined : /^#?(\d{1,15})$/.exec(text)?.[1]
  return digits === undefined ? [] : [Number(digits)]
}

function comparisonOf(
  target: (field: Field) => ResourceName,
  has: (value: unknown, ids: ReadonlySet<number>) => boolean,
): Comparison {
  return {
    ordered: false,
    compile(operand, field): Matcher {
      const none = operand.quoted ? operand.text === '' : operand.text === 'none'
      if (none) return () => isNothing
      return (view) => {
        const ids = idsMeant(operand, target(field), view)
        return (value) => has(value, ids)
      }
    },
    suggest(field, view) {
      const to = target(field)
      const titles = view.all(to).map(({ id }) => view.title(to, id) ?? '')
      return titles.filter((title) => title !== '')
    },
  }
}

export function idsOf(value: unknown): readonly number[] {
  if (typeof value === 'number') return value === 0 ? [] : [value]
  if (Array.isArray(value)) return value
  return value && typeof value === 'object' ? Object.keys(value).map(Number) : []
}

function isNothing(value: unknown): boolean {
  return isEmpty(value) || idsOf(value).length === 0
}

const targetOf = (field: Field) => ('to' in field ? field.to : 'server')

export const record = comparisonOf(targetOf, (value, ids) => idsOf(value).some((id) => ids.has(id)))

/** Whether one of the servers is a target. */
export const targets = comparisonOf(targetOf, (value, ids) => {
  const { mode, servers } = value as TargetSelection
  if (mode === 'alert') return false
  return [...ids].some((id) => servers.includes(id) === (mode === 'only'))
})
