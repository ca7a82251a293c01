import { actionLine, cliWords, listLine, sayText, shellQuote } from '@qd/core/actions'
import { type Action, type AnyRow, actionKey, allowed, type Resource, textKey, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resources } from '@qd/core/resources'
import { presentCell } from '@qd/core/view'
import { perform } from '../perform/perform.ts'
import { profileNames, switchProfile } from '../perform/switch.ts'
import { stateOf } from '../state/state-of.ts'
import type { Ui } from '../state/ui.ts'
import { createActivityList } from '../views/activity-list.ts'

/** One way to go on with what was typed on the command line. */
export interface CommandChoice {
  /** The whole line. */
  readonly text: string
  /** What it does. */
  readonly detail: string
  /** Why it cannot be run. */
  readonly reason: string | null
  readonly chord: string | null
  /** The same for a shell; null if the CLI has no such thing. */
  readonly cli: string | null
  run(): void
}

const most = 50

/** What a line may become, best first. The words are those of the CLI without `qd` (behaviour T-18). */
export function commandChoices(ui: Ui, typed: string): CommandChoice[] {
  const text = typed.trimStart()
  const at = /(?:^|\s)@(\S*)$/.exec(text)
  if (at) return profileChoices(ui, text.slice(0, at.index).trim(), at[1]!, '@')
  const profile = /^profile\s+(\S*)$/.exec(text)
  if (profile) return profileChoices(ui, '', profile[1]!, 'profile ')
  const viewer = ui.workspace.session.viewer()
  const mayRead = ({ audience, scopes }: Resource) => allowed(viewer, { audience: audience.read, scope: scopes.read })
  const visible = resources.filter(mayRead)
  const lists = visible
    .flatMap((resource) => listChoices(ui, resource))
    .filter((choice) => choice.text.startsWith(text))
  const fixed = fixedChoices(ui).filter((choice) => choice.text.startsWith(text))
  if (text === '') return [...lists.filter((choice) => !choice.text.includes(' ')), ...fixed]
  const found = visible.flatMap((resource) => [
    ...filterChoices(ui, resource, text),
    ...verbChoices(ui, resource, text),
  ])
  return [...lists, ...found, ...fixed].slice(0, most)
}

/** `server`, and the same in two words: `server ls`. */
function listChoices(ui: Ui, resource: Resource): CommandChoice[] {
  const list: CommandChoice = {
    text: resource.name,
    detail: ui.workspace.translator.say(textKey.many(resource.name)),
    reason: null,
    chord: resource.go,
    cli: listLine(resource),
    run: () => ui.places.goTo(resource),
  }
  return resource.wire.shape === 'many' ? [list, { ...list, text: `${resource.name} ls` }] : [list]
}

/** `server /web`: a list with a filter. */
function filterChoices(ui: Ui, resource: Resource, text: string): CommandChoice[] {
  const [, name, filter] = /^(\S+)\s+(?:ls\s+)?\/(.*)$/.exec(text) ?? []
  if (filter === undefined || name !== resource.name || resource.wire.shape !== 'many') return []
  const run = () => ui.places.filter(resource, filter.trim())
  return [
    {
      text,
      detail: ui.workspace.translator.say(textKey.many(resource.name)),
      reason: null,
      chord: '/',
      cli: listLine(resource, filter),
      run,
    },
  ]
}

/** The verbs of a resource that begin as typed, and after a whole verb the records to run it on. */
function verbChoices(ui: Ui, resource: Resource, text: string): CommandChoice[] {
  // `get` shows the record, also where Enter opens its form.
  const isShown = (name: string) => name !== 'open' || resource.actions.details === undefined
  const actions = Object.values(resource.actions).filter(({ name }) => !name.startsWith('copy-') && isShown(name))
  return actions.flatMap((action): CommandChoice[] => {
    const words = cliWords(action)
    if (text.startsWith(`${words} `) && action.on !== 'none')
      return recordChoices(ui, resource, action, text.slice(words.length + 1))
    return words.startsWith(text.trimEnd()) ? [plainChoice(ui, resource, action, words)] : []
  })
}

/** The verb alone: on what is marked or focused, where that is of this kind. */
function plainChoice(ui: Ui, resource: Resource, action: Action, words: string): CommandChoice {
  const { translator, view } = ui.workspace
  const { t, say } = translator
  const rows = action.on === 'none' ? [] : chosenRows(ui, resource)
  const { reason } = stateOf(ui, action, rows)
  const label = say(actionKey(action))
  const on =
    rows.length === 0
      ? ''
      : rows.length === 1
        ? t('ui.tui.command.onOne', { name: plainText(titleOf(resource, rows[0]!)) })
        : t('ui.tui.command.onMarked', { count: rows.length })
  const needsName = action.on !== 'none' && rows.length === 0
  return {
    text: words,
    detail: [label, on].filter(Boolean).join(', '),
    reason: needsName ? t('ui.tui.command.needsName') : reason && sayText(translator, reason),
    chord: action.key.tui,
    cli: actionLine(action, rows, view),
    run: () => void perform(ui, action, rows),
  }
}

function chosenRows(ui: Ui, resource: Resource): readonly AnyRow[] {
  return ui.screen?.resource === resource ? (ui.screen.chosen?.() ?? []) : []
}

/** Records whose name or id begins as typed, then those that have it anywhere. */
function recordChoices(ui: Ui, resource: Resource, action: Action, typed: string): CommandChoice[] {
  const { translator, view, records } = ui.workspace
  const wanted = typed.replaceAll(/["']/g, '').trim().toLowerCase()
  const found = records.peekAll(resource.name).flatMap((row) => {
    const name = titleOf(resource, row)
    const at = name.toLowerCase().indexOf(wanted)
    if (at < 0 && String(row.id) !== wanted) return []
    return [{ row, name, rank: String(row.id) === wanted ? -1 : at === 0 ? 0 : 1 }]
  })
  found.sort((a, b) => a.rank - b.rank || a.name.localeCompare(b.name, 'en', { numeric: true }))
  return found.slice(0, most).map(({ row, name }) => {
    const { reason } = stateOf(ui, action, [row])
    return {
      text: `${cliWords(action)} ${shellQuote(plainText(name))}`,
      detail: describe(ui, resource, row),
      reason: reason && sayText(translator, reason),
      chord: null,
      cli: actionLine(action, [row], view),
      run: () => void perform(ui, action, [row]),
    }
  })
}

/** What a record reaches, else its state. */
function describe(ui: Ui, resource: Resource, row: AnyRow): string {
  const field =
    Object.keys(resource.fields).find((name) => resource.fields[name]!.kind === 'reach') ?? resource.state?.field
  return field === undefined ? `#${row.id}` : presentCell(ui.workspace.surface(), { resource, row, field }).text
}

function profileChoices(ui: Ui, before: string, typed: string, prefix: string): CommandChoice[] {
  const { t } = ui.workspace.translator
  return profileNames(ui)
    .filter((name) => name.startsWith(typed))
    .map((name) => ({
      text: [before, `${prefix}${name}`].filter(Boolean).join(' '),
      detail: t('ui.tui.command.profile'),
      reason: null,
      chord: null,
      cli: null,
      run: () =>
        void switchProfile(ui, name).then((done) => {
          if (done) showList(ui, before)
        }),
    }))
}

/** The list that a line names, with its filter; nobody is signed in yet where this is asked. */
function showList(ui: Ui, text: string): void {
  const resource = resources.find(({ name }) => name === text.split(/\s/)[0])
  if (resource) (filterChoices(ui, resource, text)[0] ?? listChoices(ui, resource)[0])?.run()
}

function fixedChoices(ui: Ui): CommandChoice[] {
  const { t } = ui.workspace.translator
  const plain = { reason: null, cli: null }
  return [
    { ...plain, text: 'profile ', detail: t('ui.tui.command.profile'), chord: null, run: () => undefined },
    {
      ...plain,
      text: 'activity',
      detail: t('ui.commands.activity'),
      chord: null,
      run: () => ui.open(createActivityList(ui)),
    },
    { ...plain, text: 'help', detail: t('ui.keys.keys'), chord: '?', run: () => ui.places.openScreen('help', null) },
    { ...plain, text: 'quit', detail: t('ui.tui.command.quit'), chord: 'q', run: () => ui.quit(0) },
  ]
}
