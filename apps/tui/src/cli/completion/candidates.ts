import { type Aliases, type Grammar, withOwnAliases, withoutAliases } from '@qd/core/actions'
import type { ResourceName, View } from '@qd/core/define'
import { lastItem } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { resourceByName } from '@qd/core/resources'
import { completions } from '@qd/core/targets'
import type { Command, CommandGroup, Flag, HelpText, Values } from '../commands/command.ts'

export interface Candidate {
  word: string
  help?: HelpText
}

export interface Sources {
  /** Known records, by id and title only. */
  view(names: readonly ResourceName[], connect: Readonly<Record<string, string>>): Promise<View>
  profiles(): readonly string[]
  aliases(): Aliases
}

/** The grammar with what completes it. */
export interface Words extends Grammar {
  readonly tree: readonly (Command | CommandGroup)[]
  readonly globalFlags: readonly Flag[]
}

const connectFlags = ['--profile', '--endpoint', '--url', '--user'] as const

/** Candidates at the cursor; `files` for file names (behaviour C-25). */
export async function candidatesFor(
  grammar: Words,
  { words, current }: { words: readonly string[]; current: string },
  sources: Sources,
): Promise<readonly Candidate[] | 'files'> {
  const { profiles, aliases } = sources
  const own = withOwnAliases(words, { ...grammar, aliases, isWhole: false })
  const place = placeOf(withoutAliases(own, grammar), grammar)
  if (place.isOver) return []
  const view = (names: readonly ResourceName[]) => sources.view(names, place.connect)
  const known = { view, profiles, aliases, tree: grammar.tree }
  if (place.pending && (place.pending.isNeeded || !current.startsWith('-'))) {
    const found = await valuesFor(valuesOf(place.pending.flag), current, known, '')
    if (found === 'files' || place.pending.isNeeded) return found
    return [...found, ...(await wordsFor(place, current, known))]
  }
  if (!current.startsWith('-')) return wordsFor(place, current, known)
  const equals = /^(--[\w-]+)=(.*)$/s.exec(current)
  if (equals) {
    const [, name = '', value = ''] = equals
    const flag = place.flags.find(({ flags }) => namesOf(flags).includes(name))
    return flag ? valuesFor(valuesOf(flag), value, known, `${name}=`) : []
  }
  const open = place.flags.filter(
    ({ flags, hidden }) => hidden !== true && !namesOf(flags).some((name) => place.given.includes(name)),
  )
  return open.flatMap(({ flags, help }) => {
    const name = lastItem(namesOf(flags))
    return name.startsWith(current) ? [{ word: name, help }] : []
  })
}

interface Place {
  node: CommandGroup | Command | null
  flags: readonly Flag[]
  given: readonly string[]
  connect: Readonly<Record<string, string>>
  pending: { flag: Flag; isNeeded: boolean } | null
  isOver: boolean
  plain: readonly string[]
}

function placeOf(words: readonly string[], { tree, globalFlags }: Words): Place {
  let node: Place['node'] = null
  let pending: Place['pending'] = null
  const given: string[] = []
  const plain: string[] = []
  const connect: Record<string, string> = {}
  const flagsHere = () => [...(node && !('commands' in node) ? (node.flags ?? []) : []), ...globalFlags]
  const take = ({ flags }: Flag, value: string) => {
    const name = connectFlags.find((one) => namesOf(flags).includes(one))
    if (name) connect[name] = value
  }
  for (const word of words) {
    if (word === '--') return { node, flags: [], given, connect, pending: null, isOver: true, plain }
    const before: Place['pending'] = pending
    pending = null
    if (before && (before.isNeeded || !word.startsWith('-'))) {
      take(before.flag, word)
      continue
    }
    if (word.startsWith('-')) {
      const [name = '', value] = word.split(/=(.*)/s)
      const flag = flagsHere().find(({ flags }) => namesOf(flags).includes(name))
      given.push(name)
      if (flag && value !== undefined) take(flag, value)
      else if (flag && / [<[]/.test(flag.flags)) pending = { flag, isNeeded: flag.flags.includes(' <') }
      continue
    }
    const below: readonly (Command | CommandGroup)[] = node === null ? tree : 'commands' in node ? node.commands : []
    const next = below.find(({ name }) => name === word)
    if (next) node = next
    else plain.push(word)
  }
  return { node, flags: flagsHere(), given, connect, pending, isOver: false, plain }
}

function namesOf(flags: string): string[] {
  return flags.replace(/ [<[].*/s, '').split(', ')
}

interface Known extends Pick<Sources, 'profiles' | 'aliases'> {
  view(names: readonly ResourceName[]): Promise<View>
  tree: Words['tree']
}

async function wordsFor({ node, plain }: Place, current: string, known: Known): Promise<readonly Candidate[]> {
  if (node === null || 'commands' in node) {
    if (plain.length > 0) return []
    const below: readonly (Command | CommandGroup)[] = node === null ? known.tree : node.commands
    const named = starting(below, current)
    return node === null ? [...named, ...aliasWords(known).filter(({ word }) => word.startsWith(current))] : named
  }
  if (node.values?.kind === 'commands') return commandsFor(known.tree, plain, current)
  const takesMany = node.args?.includes('...') ?? false
  const room = takesMany ? Number.POSITIVE_INFINITY : (node.args?.split(' ').length ?? 0)
  if (plain.length >= room) return []
  const found = await valuesFor(node.values ?? null, current, known, '')
  return found === 'files' ? [] : found.filter(({ word }) => !plain.includes(word))
}

const starting = (below: readonly (Command | CommandGroup)[], current: string): readonly Candidate[] =>
  below.flatMap(({ name, help }) => (name.startsWith(current) ? [{ word: name, help }] : []))

function aliasWords({ aliases }: Pick<Known, 'aliases'>): readonly Candidate[] {
  return Object.entries(aliases()).map(([word, words]) => ({ word, help: () => plainText(words) }))
}

function commandsFor(tree: Words['tree'], plain: readonly string[], current: string): readonly Candidate[] {
  const group = plain.length === 0 ? undefined : tree.find(({ name }) => name === plain[0])
  const below = plain.length === 0 ? tree : plain.length === 1 && group && 'commands' in group ? group.commands : []
  return starting(below, current)
}

function valuesOf({ flags, values }: Flag): Values | 'files' | null {
  if (values) return values
  const placeholder = / [<[](.+)[>\]]$/.exec(flags)?.[1] ?? ''
  if (placeholder === 'file') return 'files'
  return placeholder.includes('|') ? { kind: 'words', words: () => placeholder.split('|') } : null
}

async function valuesFor(
  values: Values | 'files' | null,
  current: string,
  known: Known,
  before: string,
): Promise<readonly Candidate[] | 'files'> {
  if (values === 'files') return 'files'
  if (values === null || values.kind === 'commands') return []
  if (values.kind === 'query') return selectionFor(values.of, current, known, before)
  const isList = 'many' in values && values.many === true
  const kept = isList ? current.slice(0, current.lastIndexOf(',') + 1) : ''
  const used = kept.split(',')
  const typed = current.slice(kept.length).toLowerCase()
  const all = await plainValues(values, known)
  return all
    .filter(({ word }) => word.toLowerCase().startsWith(typed) && !used.includes(word))
    .map(({ word, help }) => ({ word: before + kept + word, ...(help ? { help } : {}) }))
}

async function plainValues(
  values: Extract<Values, { kind: 'words' | 'records' | 'profiles' | 'aliases' }>,
  { view, profiles, aliases }: Known,
): Promise<readonly Candidate[]> {
  if (values.kind === 'words') return values.words().map((word) => ({ word }))
  if (values.kind === 'profiles') return profiles().map((word) => ({ word }))
  if (values.kind === 'aliases') return aliasWords({ aliases })
  const { all, title } = await view([values.of])
  const named = all(values.of).map(({ id }) => ({ id, name: plainText(title(values.of, id) ?? '') }))
  const count = (name: string) => named.filter((one) => one.name === name).length
  return named.map(({ id, name }) =>
    // Ambiguous names, or names that read as ids or flags, can't be typed.
    name === '' || /^(#|-|\d+$)|,/.test(name) || count(name) > 1
      ? { word: String(id), help: () => name }
      : { word: name, help: () => `#${id}` },
  )
}

async function selectionFor(
  of: ResourceName,
  current: string,
  { view }: Known,
  before: string,
): Promise<readonly Candidate[]> {
  const resource = resourceByName(of)
  if (!resource) return []
  const named = Object.values(resource.fields).flatMap((field) =>
    (field.kind === 'ref' || field.kind === 'refs') && resourceByName(field.to) ? [field.to] : [],
  )
  const known = await view([...new Set([of, ...named])])
  const { from, to, items } = completions(resource, current, current.length, known)
  return items.map(({ text }) => ({ word: before + current.slice(0, from) + text + current.slice(to) }))
}
