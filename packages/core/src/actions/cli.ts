import { shellQuote } from '@qd/protocol/shell-quote'
import {
  type Action,
  type AnyRow,
  commonActions,
  type Field,
  type FieldKind,
  type FormShape,
  fieldOf,
  optionName,
  type Resource,
  type Values,
  type View,
} from '../define/index.ts'
import { firstItem } from '../errors/index.ts'
import { inputText, optionFlag } from '../fields/index.ts'
import { resourceByName } from '../resources/index.ts'
import { same } from './same.ts'

/** The flag of a field, e.g. `--push-successful`; of a secret, which is read from a file, `--url-file`. */
export function flagName(field: string, kind?: FieldKind): string {
  return `--${field.replaceAll('_', '-')}${kind === 'secret' ? '-file' : ''}`
}

/** The verb of an action in the CLI's words: `open` and `details` read `get`, and what copies a field prints it from the list. */
const verbs: Readonly<Record<string, string>> = { open: 'get', details: 'get' }
const copies = 'copy-'

/** Words after `qd` that run an action, e.g. `cron run`, `setting set`. */
export function cliWords(action: Action): string {
  const { resource, name } = action
  const verb = name.startsWith(copies) ? 'ls' : (verbs[name] ?? name)
  return resourceByName(resource)?.cli[name] ?? `${resource} ${verb}`
}

/** What may be run without a screen: what changes something, or a question with an answer. Signing out is a command of its own. */
export function isCommand({ name, wire, args, waits }: Action): boolean {
  return !commonActions.includes(name) && name !== 'sign-out' && (wire !== null || args !== null || waits)
}

/** True for an action that changes nothing. */
export function readsOnly({ wire, waits, confirm }: Action): boolean {
  return wire === null ? !waits && confirm === 'none' : wire.method === 'GET'
}

/** The line that runs an action on these rows, one by its name, several by their ids, with a flag for each argument that was changed. */
export function actionLine(
  action: Action,
  rows: readonly AnyRow[],
  view: View,
  values: Values = {},
  unread: Unread = new Map(),
): string {
  const { args } = action
  const flags = args ? changedFlags(args, { values, before: args.initial, view, unread }) : []
  const ids = `--ids ${rows.map((row) => row.id).join(',')}`
  const words = ['qd', ...cliWords(action).split(' ')]
  if (action.name.startsWith(copies)) return [...words, ids, `--json ${action.name.slice(copies.length)}`].join(' ')
  const chosen =
    action.on === 'none' || rows.length === 0
      ? []
      : [rows.length === 1 ? nameWord(action.resource, firstItem(rows), view) : ids]
  return [...words, ...chosen, ...flags].join(' ')
}

/** The line that lists what is on screen: all of a resource, or what a text of the selection language leaves. */
export function listLine(resource: Resource, selection = ''): string {
  const words = `qd ${resource.name} ${resource.wire.shape === 'one' ? 'get' : 'ls'}`
  return selection.trim() === '' ? words : `${words} --select ${shellQuote(selection.trim())}`
}

/** Texts of a form that cannot be read, by field: a line says them as they were typed, and is refused like the form. */
export type Unread = ReadonlyMap<string, string>

/** What a form would send. */
export interface FormLine {
  resource: Resource
  mode: 'create' | 'edit' | 'duplicate'
  /** The record that is edited or duplicated; null for a new one. */
  base: AnyRow | null
  values: Readonly<Record<string, unknown>>
  view: View
  unread?: Unread
}

/** The line that does what a form does: a flag for each value that differs from where the form began. Of secrets only that they are cleared. */
export function formLine({ resource, mode, base, values, view, unread = new Map() }: FormLine): string {
  const action = resource.actions[mode]
  const words = `qd ${action ? cliWords(action) : `${resource.name} ${mode}`}`
  const named = base && resource.wire.shape === 'many' ? [nameWord(resource.name, base, view)] : []
  const before: Readonly<Record<string, unknown>> = base ?? resource.initial
  return [words, ...named, ...changedFlags(resource, { values, before, view, unread })].join(' ')
}

function changedFlags(
  { form, fields }: FormShape,
  { values, before, view, unread }: { values: Values; before: Values; view: View; unread: Unread },
): string[] {
  const changed = form
    .flatMap((group) => group.fields.map(({ field }) => field))
    .filter((name) => unread.has(name) || (name in values && !same(values[name], before[name])))
  const cleared = changed.filter((name) => fieldOf({ fields }, name).kind === 'secret' && values[name] === null)
  return [
    ...changed.flatMap((name) => flag(name, fieldOf({ fields }, name), values[name], { view, text: unread.get(name) })),
    ...(cleared.length > 0 ? [`--clear ${cleared.map((name) => name.replaceAll('_', '-')).join(',')}`] : []),
  ]
}

function flag(
  name: string,
  field: Field,
  value: unknown,
  { view, text: typed }: { view: View; text: string | undefined },
): string[] {
  if (field.kind === 'secret') return []
  if (field.kind === 'flag') return [value ? flagName(name) : flagName(`no-${name}`)]
  const option = field.kind === 'choice' ? optionName(field, value) : null
  const text = typed ?? (option === null ? inputText(field, value, { fieldName: name, view }) : optionFlag(option))
  return [
    text.startsWith('-')
      ? `${flagName(name)}=${shellQuote(text)}`
      : `${flagName(name)} ${text === '' ? '""' : shellQuote(text)}`,
  ]
}

/** A record as the CLI finds it again: by its name where that is one record's alone and cannot be taken for an id or a flag. */
function nameWord(name: Action['resource'], row: AnyRow, view: View): string {
  const title = view.title(name, row.id)
  if (title === null || title === '' || /^(#?\d+$|-)/.test(title)) return String(row.id)
  const isAlone = view.all(name).every(({ id }) => id === row.id || view.title(name, id) !== title)
  return isAlone ? shellQuote(title) : String(row.id)
}
