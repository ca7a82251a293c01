import { plainText, type ResourceName, type View } from '../define/index.ts'
import { firstItem } from '../errors.ts'
import { firstNames, textParts } from '../i18n/index.ts'
import {
  bad,
  good,
  type KindRules,
  nothing,
  type ParseContext,
  type Parsed,
  type PresentContext,
  type Shown,
  shownOnly,
} from './rules.ts'

/** Maximum number of names in a cell; others are counted (spec section 9). */
const namesShown = 3

/** `#7` for an unknown record. */
export function nameOf(view: View, to: ResourceName, id: number): string {
  const title = view.title(to, id)
  return title === null || title === '' ? `#${id}` : plainText(title)
}

/** Finds a record by ID or title. An ambiguous title is refused with its matches. */
function resolve(text: string, to: ResourceName, context: ParseContext): Parsed {
  const { view } = context
  const records = view.all(to)
  const id = /^#?(\d{1,15})$/.exec(text)?.[1]
  if (id !== undefined && (records.length === 0 || view.find(to, Number(id)))) return good(Number(id))
  const titled = records.map((row) => ({ id: row.id, title: view.title(to, row.id) ?? '' }))
  const exact = titled.filter(({ title }) => title === text)
  const found = exact.length > 0 ? exact : titled.filter(({ title }) => title.toLowerCase() === text.toLowerCase())
  if (found.length === 1) return good(firstItem(found).id)
  if (found.length === 0) return bad(context, 'unknownReference', { name: text })
  return bad(context, 'unknownReference', { matches: found.map((match) => `${match.title} (${match.id})`), name: text })
}

/** A title that `resolve` maps back to this record, else its ID. */
function typed(id: number, to: ResourceName, context: ParseContext): string {
  const title = context.view.title(to, id)
  if (title === null || title !== title.trim() || /[,\n]|^#?\d+$|^(none)?$/i.test(title)) return String(id)
  const parsed = resolve(title, to, context)
  return parsed.ok && parsed.value === id ? title : String(id)
}

/** The first items and the number of others; all in `full`. */
export function listed(items: readonly string[], context: PresentContext): Shown {
  if (items.length === 0) return nothing(context, 'none')
  const full = context.format.list(items)
  if (items.length <= namesShown) return { text: full, tone: 'plain' }
  return { text: firstNames(items, namesShown, context), tone: 'plain', full }
}

function joined(items: readonly string[]): string | null {
  return items.length === 0 ? null : items.join(', ')
}

const ref: KindRules<'ref'> = {
  present(field, value, context) {
    if (value === 0) return nothing(context, 'none')
    const text = nameOf(context.view, field.to, value)
    return { text, tone: 'plain' }
  },
  sort: (field, value, view) => (value === 0 ? null : nameOf(view, field.to, value)),
  parse(field, text, context) {
    const name = text.trim()
    return ['', '0', 'none'].includes(name) ? good(0) : resolve(name, field.to, context)
  },
  input: (field, value, context) => (value === 0 ? '' : typed(value, field.to, context)),
  machine: (_field, value) => value,
}

const refs: KindRules<'refs'> = {
  present: (field, value, context) =>
    listed(
      value.map((id) => nameOf(context.view, field.to, id)),
      context,
    ),
  sort: (field, value, view) => joined(value.map((id) => nameOf(view, field.to, id))),
  parse(field, text, context) {
    const ids = new Set<number>()
    if (text.trim() === 'none') return good([])
    const isTitle = (name: string) => resolve(name, field.to, context).ok
    // A title may contain any separator but a comma.
    const names = textParts(text, /[,\n]/).flatMap((name) => (isTitle(name) ? name : textParts(name)))
    for (const name of names) {
      const parsed = resolve(name, field.to, context)
      if (!parsed.ok) return parsed
      ids.add(parsed.value as number)
    }
    return good([...ids])
  },
  input: (field, value, context) => value.map((id) => typed(id, field.to, context)).join(', '),
  machine: (_field, value) => value,
}

const targets: KindRules<'targets'> = {
  present(_field, value, context) {
    const text = context.targetsText(value)
    return { text, tone: 'plain' }
  },
  sort: (_field, { mode, servers }) =>
    ['alert', 'only', 'except'].indexOf(mode) * 1e6 + (mode === 'except' ? -1 : 1) * servers.length,
  ...shownOnly,
  machine: (_field, value) => value,
}

export const referenceKinds = { ref, refs, targets }
