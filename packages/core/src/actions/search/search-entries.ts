import {
  type Action,
  type AnyRow,
  actionKey,
  allowed,
  commonActions,
  fieldKey,
  fieldOf,
  fieldValue,
  type IconName,
  plainText,
  type Resource,
  type ResourceName,
  textKey,
  titleOf,
  type Values,
  type View,
} from '../../define/index.ts'
import { defined } from '../../errors.ts'
import { type AppCommand, appCommands, connectionCommand } from '../app.ts'
import { actionLine, formLine } from '../cli.ts'
import { baseChords } from '../keymap.ts'
import { actionState, availability, type Surroundings } from '../state.ts'
import { type Say, sayText, type TextRef } from '../text.ts'
import { createSource, prepare, prepareOnce, type Searchable, type Source } from './search-match.ts'

/** What selecting an entry does. `pick` opens a page of records for the action (behavior P-12); `given` are typed arguments (P-16). */
export type SearchTarget =
  | { kind: 'record'; resource: ResourceName; id: number }
  | { kind: 'action'; action: Action; rows: readonly AnyRow[]; given?: Values }
  | { kind: 'pick'; action: Action }
  | { kind: 'command'; command: AppCommand }
  | { kind: 'create'; resource: Resource; title: string }
  | { kind: 'file'; name: string }

export interface SearchEntry extends Searchable {
  /** Stable, for frecency and as an element’s key. */
  readonly key: string
  readonly goal: SearchTarget
  /** Beside the title: an address, or the noun of an action’s resource. */
  readonly detail: string
  readonly icon: IconName
  readonly chord: { readonly web: string | null; readonly tui: string | null }
  readonly reason: TextRef | null
  readonly cli: string | null
}

const noChord = { web: null, tui: null } as const

export interface RecordSource extends Source<SearchEntry> {
  byId(id: number): SearchEntry | undefined
}

/** Of longer lists, only records that have all words of the query are prepared, at most `maxNarrowed`: to prepare 60,000 takes a second. Initials and typos don’t find these. */
const maxPrepared = 10_000
const maxNarrowed = 500

/** Caches the entries of a list’s records, so that only changed ones are prepared again. */
export function createRecordSource(resource: Resource): (view: View, query: string) => RecordSource {
  let seen: readonly AnyRow[] | null = null
  let entries = new Map<number, SearchEntry>()
  let source: Source<SearchEntry> = createSource([])
  /** Of a long list: what each row is found by, and the query whose rows are prepared. */
  let texts: readonly string[] = []
  let narrowed: string | null = null
  const extraOf = (row: AnyRow, view: View) =>
    [String(row.id), ...resource.search.map((field) => searchText(resource, row, field, view))].filter(Boolean)
  const entryOf = (row: AnyRow, view: View): SearchEntry => {
    const title = titleOf(resource, row)
    const extra = extraOf(row, view)
    const known = entries.get(row.id)
    if (known?.title === title && known.extra === extra.join(' ')) return known
    return {
      ...prepare(title, extra.join(' ')),
      key: `record:${resource.name}:${row.id}`,
      goal: { kind: 'record', resource: resource.name, id: row.id },
      detail: extra[1] ?? '',
      icon: resource.icon,
      chord: noChord,
      reason: null,
      cli: null,
    }
  }
  const take = (rows: readonly AnyRow[], view: View) => {
    const next = rows.map((row) => entryOf(row, view))
    entries = new Map(next.map((entry, at) => [defined(rows[at]).id, entry]))
    // Often only metrics change.
    if (next.length !== source.entries.length || next.some((one, at) => one !== source.entries[at]))
      source = createSource(next)
  }
  return (view, query) => {
    const rows = view.all(resource.name)
    const isLong = rows.length > maxPrepared
    if (rows !== seen) {
      seen = rows
      narrowed = null
      texts = isLong ? rows.map((row) => [titleOf(resource, row), ...extraOf(row, view)].join(' ').toLowerCase()) : []
      if (!isLong) take(rows, view)
    }
    if (isLong && narrowed !== query) {
      narrowed = query
      take(withWords(query.toLowerCase(), rows, texts), view)
    }
    const rest = (id: number) => {
      const row = isLong ? view.find(resource.name, id) : undefined
      return row && entryOf(row, view)
    }
    return { ...source, byId: (id) => entries.get(id) ?? rest(id) }
  }
}

/** The first rows whose texts have all words of a query, those that begin with it before the others. */
function withWords(query: string, rows: readonly AnyRow[], texts: readonly string[]): AnyRow[] {
  const words = query.split(/\s+/)
  const found = (begin: boolean) => (_: AnyRow, at: number) => {
    const text = defined(texts[at])
    return text.startsWith(query) === begin && words.every((word) => text.includes(word))
  }
  const first = rows.filter(found(true)).slice(0, maxNarrowed)
  return first.length < maxNarrowed ? [...first, ...rows.filter(found(false))].slice(0, maxNarrowed) : first
}

/** The searchable text of a field: strings as they are, references by name. */
function searchText(resource: Resource, row: AnyRow, name: string, view: View): string {
  const value = fieldValue(resource, row, name, view)
  const field = fieldOf(resource, name)
  if (field.kind === 'refs') return (value as readonly number[]).map((id) => view.title(field.to, id) ?? '').join(' ')
  return typeof value === 'string' ? value.replaceAll('/', ' ').slice(0, 200) : ''
}

function aliasesOf(action: Action, say: Say): string {
  const key = textKey.aliases(action.resource, action.name)
  const nouns = [textKey.one(action.resource), textKey.many(action.resource)].map((noun) => say.say(noun))
  return [...action.aliases, action.name.replaceAll('-', ' '), say.has(key) ? say.say(key) : '', ...nouns].join(' ')
}

function actionEntry(action: Action, say: Say, more: Pick<SearchEntry, 'goal' | 'reason' | 'cli'>): SearchEntry {
  const isPick = more.goal.kind === 'pick'
  const label = say.say(actionKey(action))
  return {
    ...prepareOnce(isPick ? say.say('ui.palette.pick', { action: label }) : label, aliasesOf(action, say)),
    key: `action:${action.resource}.${action.name}`,
    detail: isPick || commonActions.includes(action.name) ? say.say(textKey.one(action.resource)) : '',
    icon: action.icon,
    chord: action.key,
    ...more,
  }
}

/** Actions on the selected or focused rows (behavior P-14). Blocked ones have a reason. */
export function scopeEntries(
  resource: Resource,
  rows: readonly AnyRow[],
  surroundings: Surroundings & { say: Say },
): readonly SearchEntry[] {
  const { say, view } = surroundings
  return Object.values(resource.actions)
    .filter(({ on }) => on !== 'none')
    .map((action) => ({ action, ...actionState(action, rows, surroundings) }))
    .filter(({ shown }) => shown)
    .map(({ action, reason }) =>
      actionEntry(action, say, { goal: { kind: 'action', action, rows }, reason, cli: actionLine(action, rows, view) }),
    )
}

/** Actions of every resource except opening, because records are entries themselves. `here` is the list on screen, where their keys work. */
export function actionEntries(
  resources: readonly Resource[],
  surroundings: Surroundings & { say: Say },
  here: ResourceName | null,
): readonly SearchEntry[] {
  const { say, view } = surroundings
  return resources
    .flatMap((resource) => Object.values(resource.actions))
    .filter(({ name }) => name !== 'open')
    .map((action) => ({ action, ...availability(action, surroundings) }))
    .filter(({ shown }) => shown)
    .map(({ action, reason }) => {
      const goal: SearchTarget = action.on === 'none' ? { kind: 'action', action, rows: [] } : { kind: 'pick', action }
      const worksHere = action.on === 'none' && action.resource === here
      return {
        ...actionEntry(action, say, { goal, reason, cli: action.on === 'none' ? actionLine(action, [], view) : null }),
        chord: worksHere ? action.key : noChord,
      }
    })
}

/** A record as the object of an action, with the reason if it is blocked. */
export function pickEntry(entry: SearchEntry, action: Action, surroundings: Surroundings & { say: Say }): SearchEntry {
  const { say, view } = surroundings
  const row = entry.goal.kind === 'record' ? view.find(entry.goal.resource, entry.goal.id) : undefined
  const rows = row ? [row] : []
  return {
    ...entry,
    goal: { kind: 'action', action, rows },
    detail: say.say(actionKey(action)),
    icon: action.icon,
    reason: actionState(action, rows, surroundings).reason,
    cli: actionLine(action, rows, view),
  }
}

function pageWords(resource: Resource | null, say: Say): string[] {
  if (!resource) return []
  if (resource.wire.shape === 'one')
    return resource.form.flatMap(({ fields }) => fields.map(({ field }) => say.say(fieldKey(resource, field))))
  const { facet } = resource
  const definition = facet === null ? undefined : resource.fields[facet]
  if (facet === null || definition?.kind !== 'choice') return []
  return Object.keys(definition.options).map((option) => say.say(textKey.option(resource.name, facet, option)))
}

export function commandEntries(
  { viewer, supports, say }: Surroundings & { say: Say },
  {
    here,
    front,
    files,
    connections,
  }: {
    here: ResourceName | null
    front: 'web' | 'tui'
    files: OpenFolder | null
    connections: readonly string[]
  },
): readonly SearchEntry[] {
  /** Excludes commands whose only keys are on the other front end. */
  const isHere = ({ command, id, of }: AppCommand) => {
    const chords = command === null || command.startsWith('go:') ? null : baseChords(command)
    return (
      (of !== 'list' || here !== null) &&
      (of !== 'files' || (files !== null && !files.without.has(id))) &&
      (chords === null || chords[front] !== null || Object.values(chords).every((chord) => chord === null))
    )
  }
  return [...appCommands(viewer), ...connections.map(connectionCommand)].filter(isHere).map((command) => {
    const { aliases, aliasKey, label, resource } = command
    const isMissing = resource?.requires != null && !supports(resource.requires)
    return {
      ...prepareOnce(
        sayText(say, label),
        [...aliases, aliasKey && say.has(aliasKey) ? say.say(aliasKey) : '', ...pageWords(resource, say)].join(' '),
      ),
      key: `command:${command.id}`,
      goal: { kind: 'command', command },
      detail: '',
      icon: command.icon,
      chord: resource
        ? { web: resource.go, tui: resource.go }
        : command.command
          ? baseChords(command.command)
          : noChord,
      reason: isMissing ? { key: 'ui.reasons.capability' } : null,
      cli: command.cli,
    }
  })
}

/** The folder in an open file manager. `without`: commands that can’t be used there. */
export interface OpenFolder {
  readonly entries: readonly { readonly name: string; readonly kind: string }[]
  readonly without: ReadonlySet<string>
}

const folders = new WeakMap<OpenFolder['entries'], Source<SearchEntry>>()

/** The entries of a folder, cached while its list stays the same. */
export function fileSource({ entries }: OpenFolder): Source<SearchEntry> {
  const known = folders.get(entries)
  if (known) return known
  const source = createSource(
    entries.map(
      ({ name, kind }): SearchEntry => ({
        ...prepare(plainText(name), ''),
        key: `file:${name}`,
        goal: { kind: 'file', name },
        detail: '',
        icon: kind === 'folder' ? 'folder' : 'file',
        chord: noChord,
        reason: null,
        cli: null,
      }),
    ),
  )
  folders.set(entries, source)
  return source
}

/** Entries that create a record with a name that wasn’t found (behavior P-28). */
export function createEntries(
  title: string,
  resources: readonly Resource[],
  { viewer, view, say }: Surroundings & { say: Say },
): readonly SearchEntry[] {
  return resources.flatMap((resource) => {
    const action = resource.actions.create
    if (!action || !allowed(viewer, action) || !(resource.title in resource.input.shape)) return []
    const label = say.say('ui.palette.createNamed', { noun: say.say(textKey.one(resource.name)), name: title })
    return {
      ...prepare(label, ''),
      key: `create:${resource.name}`,
      goal: { kind: 'create', resource, title },
      detail: '',
      icon: action.icon,
      chord: noChord,
      reason: null,
      cli: formLine({ resource, mode: 'create', base: null, values: { [resource.title]: title }, view }),
    }
  })
}
