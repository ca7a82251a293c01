import {
  type Action,
  actionKey,
  allowed,
  fieldKey,
  type Resource,
  type ResourceName,
  textKey,
  type Viewer,
} from '../define/index.ts'
import { resources } from '../resources/index.ts'
import { isPlain, normalChord, type Platform } from './chords.ts'
import { type BaseCommand, type BaseKey, baseKeys, type KeyGroup, type Layer } from './keys.ts'
import type { TextRef } from './text.ts'

/** A command of the page, going to a list, an action by `<resource>.<action>`, or sorting by a field. */
export type Command = BaseCommand | `go:${ResourceName}` | `action:${string}` | `sort:${string}`

export interface KeyBinding {
  /** Unresolved: `Mod+k`, `g s`. */
  readonly chord: string
  readonly command: Command
  readonly label: TextRef
  readonly group: KeyGroup
  readonly layers: readonly Layer[]
  readonly whileTyping: boolean
  readonly action: Action | null
}

export type Surface = 'web' | 'tui'

/**
 * The one key table: what `?` shows and the dispatcher uses (behavior P-32). `resource`: the list on screen. `files`: a file manager is on screen.
 * `obeys`: what is on screen is no list and knows only these page commands. `acts`: record actions work on it, except `ledHere`, which is on screen
 * already. `logs`: log lines are on screen. `search`: there is a text to search, so `N` doesn’t sort. `changed`: chords that replace a command’s first. Without `singleKeys` only
 * chords with a modifier, names like Escape and sequences remain (WCAG 2.1.4).
 */
export function keyTable(
  resource: Resource | null,
  surface: Surface,
  {
    viewer,
    singleKeys = true,
    changed = {},
    files = false,
    logs = false,
    obeys = null,
    acts = true,
    ledHere = null,
    search = false,
  }: {
    viewer: Viewer
    singleKeys?: boolean
    changed?: Partial<Record<BaseCommand, string>>
    files?: boolean
    logs?: boolean
    obeys?: readonly string[] | null
    acts?: boolean
    ledHere?: Action | null
    search?: boolean
  },
): readonly KeyBinding[] {
  const found = base(surface, { page: resource !== null || obeys !== null, files, logs, obeys }, changed)
  const bindings = [
    ...found.filter(({ command }) => !isFind(command)),
    ...goes(viewer),
    ...(resource && acts ? actions(resource, surface, viewer).filter(({ action }) => action !== ledHere) : []),
  ]
  if (resource && obeys === null && surface === 'tui') bindings.push(...sorts(resource, bindings))
  if (search) {
    // Letters of actions keep priority over searching; letters of sorting give way.
    const taken = bindings.filter(({ action }) => action !== null).map(({ chord }) => chord)
    const finds = found.filter(({ command, chord }) => isFind(command) && !taken.includes(chord))
    const others = bindings.filter(({ chord }) => finds.every((find) => find.chord !== chord))
    bindings.splice(0, bindings.length, ...others, ...finds)
  }
  return singleKeys ? bindings : bindings.filter(({ chord }) => !isPlain(chord) || [...chord].length > 1)
}

/** A command on the sheet of keys, with all of its keys. */
export interface KeyLine extends Pick<KeyBinding, 'label' | 'group'> {
  readonly chords: readonly string[]
}

export function keyLines(bindings: readonly KeyBinding[]): readonly KeyLine[] {
  const lines = new Map<string, KeyLine>()
  for (const { chord, command, label, group } of bindings) {
    const key = `${group} ${command}`
    lines.set(key, { label, group, chords: [...(lines.get(key)?.chords ?? []), chord] })
  }
  return [...lines.values()]
}

const isFind = (command: Command) => command === 'findNext' || command === 'findPrevious'

function base(
  surface: Surface,
  shown: {
    readonly page: boolean
    readonly files: boolean
    readonly logs: boolean
    readonly obeys: readonly string[] | null
  },
  changed: Partial<Record<BaseCommand, string>>,
): readonly KeyBinding[] {
  const keys: readonly BaseKey<BaseCommand>[] = shown.obeys ? obeyed(shown.obeys) : baseKeys
  return keys.flatMap(({ command, group, layers: known, chords, whileTyping = false }) => {
    const layers = known.filter(
      (layer) => (layer !== 'files' || shown.files) && (layer !== 'page' || group !== 'list' || shown.page),
    )
    if (layers.length === 0 || (group === 'charts' && !shown.obeys)) return []
    if (group === 'logs' && !shown.logs && !shown.obeys) return []
    const own = surface === 'tui' && copiesText(shown.obeys, command) ? ['y'] : chords[surface]
    return (own ?? []).map((chord, index) => ({
      chord: index === 0 ? (changed[command] ?? chord) : chord,
      command,
      label: { key: (shown.obeys?.includes(command) && obeyedLabels[command]) || `ui.keys.${command}` },
      group,
      layers,
      whileTyping,
      action: null,
    }))
  })
}

/** Whether the text on screen itself is copied, so that its copy key is that of viewing a record. */
const copiesText = (obeys: readonly string[] | null, command: BaseCommand) =>
  command === 'copyMenu' && obeys !== null && !obeys.includes('raw')

/** Labels of keys for a text or chart instead of a list. */
const obeyedLabels: Readonly<Partial<Record<BaseCommand, TextRef['key']>>> = {
  filter: 'ui.keys.search',
  findNext: 'ui.keys.nextMatch',
  findPrevious: 'ui.keys.previousMatch',
  nextTab: 'ui.keys.nextRange',
  previousTab: 'ui.keys.previousRange',
}

/** The keys of a screen with only these commands, including those of a folder’s list. */
function obeyed(commands: readonly string[]): readonly BaseKey<BaseCommand>[] {
  return baseKeys.flatMap((key: BaseKey<BaseCommand>) => {
    if (commands.includes(key.command)) {
      return { ...key, group: key.group === 'files' ? 'list' : key.group, layers: [...key.layers, 'page'] }
    }
    return ofLists.includes(key.group) ? [] : key
  })
}

const ofLists: readonly KeyGroup[] = ['list', 'charts', 'logs', 'files']

function goes(viewer: Viewer): readonly KeyBinding[] {
  return resources.flatMap((resource) => {
    const mayRead = allowed(viewer, { audience: resource.audience.read, scope: resource.scopes.read })
    if (resource.go === null || !mayRead) return []
    return {
      chord: resource.go,
      command: `go:${resource.name}` as const,
      label: { key: textKey[resource.wire.shape === 'one' ? 'one' : 'many'](resource.name) },
      group: 'go' as const,
      layers: ['page'] as const,
      whileTyping: false,
      action: null,
    }
  })
}

function actions(resource: Resource, surface: Surface, viewer: Viewer): readonly KeyBinding[] {
  return Object.values(resource.actions).flatMap((action) => {
    const chord = action.key[surface]
    if (chord === null || !allowed(viewer, action)) return []
    return {
      chord,
      command: `action:${resource.name}.${action.name}` as const,
      label: { key: actionKey(action) },
      group: action.on === 'none' ? ('list' as const) : ('rows' as const),
      layers: ['page'] as const,
      whileTyping: false,
      action,
    }
  })
}

const unordered: readonly string[] = ['trend', 'days']

/** Sorting by the first free capital letter of a column’s name: `C` sorts by CPU, as in k9s. */
function sorts(resource: Resource, bindings: readonly KeyBinding[]): readonly KeyBinding[] {
  const taken = new Set(bindings.map(({ chord }) => chord))
  const fields = new Set([resource.title, ...resource.columns.map(({ field }) => field)])
  return [...fields].flatMap((field): KeyBinding[] => {
    const kind = resource.fields[field]?.kind
    const chord = [...field.toUpperCase()].find((letter) => /[A-Z]/.test(letter) && !taken.has(letter))
    if (chord === undefined || kind === undefined || unordered.includes(kind)) return []
    taken.add(chord)
    return [
      {
        chord,
        command: `sort:${field}`,
        label: { key: 'ui.keys.sortBy', params: { column: { key: fieldKey(resource, field) } } },
        group: 'list',
        layers: ['page'],
        whileTyping: false,
        action: null,
      },
    ]
  })
}

export function baseChords(command: Command): Readonly<Record<Surface, string | null>> {
  const chords = (baseKeys as readonly BaseKey[]).find((key) => key.command === command)?.chords
  return { web: chords?.web?.[0] ?? null, tui: chords?.tui?.[0] ?? null }
}

export function chordFor(bindings: readonly KeyBinding[], command: Command): string | null {
  return bindings.find((binding) => binding.command === command)?.chord ?? null
}

/** Pairs with the same chord in one layer, or where one chord begins another’s sequence. A test keeps this empty. */
export function conflicts(
  bindings: readonly KeyBinding[],
  platform: Platform,
): readonly (readonly [KeyBinding, KeyBinding])[] {
  const spelled = bindings.map((binding) => ({ binding, chord: normalChord(binding.chord, platform) }))
  return spelled.flatMap((one, index) =>
    spelled.slice(index + 1).flatMap((other) => {
      const meets = one.binding.layers.some((layer) => other.binding.layers.includes(layer))
      const clashes =
        one.chord === other.chord || one.chord.startsWith(`${other.chord} `) || other.chord.startsWith(`${one.chord} `)
      return meets && clashes ? [[one.binding, other.binding] as const] : []
    }),
  )
}
