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
  type ResourceName,
  type Values,
  type View,
} from '../define/index.ts'
import { firstItem } from '../errors.ts'
import { inputText, optionFlag } from '../fields/index.ts'
import { hostNameOf, resourceByName } from '../resources/index.ts'
import { same } from './same.ts'

/** The flag of a field, such as `--push-successful`; of a secret, which is read from a file, `--url-file`. */
export function flagName(field: string, kind?: FieldKind): string {
  return `--${field.replaceAll('_', '-')}${kind === 'secret' ? '-file' : ''}`
}

/** CLI verbs that differ from the action’s name; copying a field prints it from the list. */
const verbs: Readonly<Record<string, string>> = { open: 'get', details: 'get' }
const copies = 'copy-'

/** Words after `qd` that run an action, such as `cron run`. */
export function cliWords(action: Action): string {
  const { resource, name } = action
  const verb = name.startsWith(copies) ? 'ls' : (verbs[name] ?? name)
  return resourceByName(resource)?.cli[name] ?? `${resource} ${verb}`
}

/** Whether an action is a CLI command: it changes or asks something. Signing out is a command of its own. */
export function isCommand({ name, wire, args, waits }: Action): boolean {
  return !commonActions.includes(name) && name !== 'sign-out' && (wire !== null || args !== null || waits)
}

export function readsOnly({ wire, waits, confirm }: Action): boolean {
  return wire === null ? !waits && confirm === 'none' : wire.method === 'GET'
}

/** The command that runs an action on these rows (one by name, several by ID), with a flag for each changed argument. */
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

export function listLine(resource: Resource, selection = ''): string {
  const words = `qd ${resource.name} ${resource.wire.shape === 'one' ? 'get' : 'ls'}`
  return selection.trim() === '' ? words : `${words} --select ${shellQuote(selection.trim())}`
}

/** Unparsable texts of a form by field: the command repeats them as typed, and is refused like the form. */
export type Unread = ReadonlyMap<string, string>

export interface FormLine {
  resource: Resource
  mode: 'create' | 'edit' | 'duplicate'
  base: AnyRow | null
  values: Readonly<Record<string, unknown>>
  view: View
  unread?: Unread
}

/** The command that does what a form does, with a flag for each changed value. Secrets only appear when they are cleared. */
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

/** A record of a host with its server: the name alone would mean it on all hosts. */
function onHostWord(resource: ResourceName, title: string, row: AnyRow, view: View): string {
  const on = view.title('server', Number(row.server_id))
  const isClear =
    on !== null &&
    !/^-|\//.test(on) &&
    view.all('server').every((one) => one.id === row.server_id || view.title('server', one.id) !== on)
  const namesakes = view.all(resource).filter((one) => one.server_id === row.server_id && one.name === row.name)
  return isClear ? shellQuote(`${on}/${namesakes.length > 1 ? hostNameOf(row) : title}`) : String(row.id)
}

/** The name of a record if it is unique and can’t be mistaken for an ID or a flag; else its ID. */
function nameWord(name: Action['resource'], row: AnyRow, view: View): string {
  const title = view.title(name, row.id)
  if (title === null || title === '' || /^(#?\d+$|-)/.test(title)) return String(row.id)
  if (resourceByName(name)?.host) return onHostWord(name, title, row, view)
  const isAlone = view.all(name).every(({ id }) => id === row.id || view.title(name, id) !== title)
  return isAlone ? shellQuote(title) : String(row.id)
}
