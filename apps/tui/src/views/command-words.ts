import { actionLine, cliWords, listLine, sayText, shellQuote } from '@qd/core/actions'
import { type Action, type AnyRow, actionKey, allowed, type Resource, textKey, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { resources } from '@qd/core/resources'
import { presentCell } from '@qd/core/view'
import { runCommand } from '../app/commands.ts'
import { perform } from '../app/perform.ts'
import { goTo, listScreen } from '../app/places.ts'
import { stateOf } from '../app/state-of.ts'
import { profileNames, switchProfile } from '../app/switch.ts'
import type { Ui } from '../app/ui.ts'

/** One way to go on with what was typed on the command line. */
export interface CommandChoice {
  /** The whole line. */
  readonly text: string
  /** What it does. */
  readonly detail: string
  /** Why it cannot be run. */
  readonly reason: string | null
  readonly chord: string | null
  /** The same for a shell; null where the CLI has no such thing. */
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
  const [first = ''] = text.split(/\s+/)
  const named = resources.find(({ name }) => name === first)
  const viewer = ui.desk.session.viewer()
  const visible = resources.filter(({ audience, scopes }) =>
    allowed(viewer, { audience: audience.read, scope: scopes.read }),
  )
  if (named && text.length > first.length)
    return [...filterChoices(ui, named, text), ...verbChoices(ui, named, text)].slice(0, most)
  const lists = visible.filter(({ name }) => name.startsWith(text)).map((resource) => listChoice(ui, resource))
  const verbs = visible
    .filter(({ name }) => text !== '' && name.startsWith(text))
    .flatMap((resource) => verbChoices(ui, resource, `${resource.name} `))
  return [...lists, ...verbs, ...fixedChoices(ui).filter((choice) => choice.text.startsWith(text))].slice(0, most)
}

function listChoice(ui: Ui, resource: Resource): CommandChoice {
  const { say } = ui.desk.translator
  return {
    text: resource.name,
    detail: say(textKey.many(resource.name)),
    reason: null,
    chord: resource.go,
    cli: listLine(resource),
    run: () => goTo(ui, resource),
  }
}

/** `server /web`: a list with a filter. */
function filterChoices(ui: Ui, resource: Resource, text: string): CommandChoice[] {
  const filter = /^\S+\s+(?:ls\s+)?\/(.*)$/.exec(text)?.[1]
  if (filter === undefined || resource.wire.shape !== 'many') return []
  const run = () => {
    goTo(ui, resource)
    listScreen(ui, resource).setFilter(filter.trim())
  }
  return [
    {
      text,
      detail: ui.desk.translator.say(textKey.many(resource.name)),
      reason: null,
      chord: '/',
      cli: listLine(resource, filter),
      run,
    },
  ]
}

function verbChoices(ui: Ui, resource: Resource, text: string): CommandChoice[] {
  const typed = text.trimStart()
  const actions = Object.values(resource.actions).filter(({ name }) => !name.startsWith('copy-'))
  return actions.flatMap((action): CommandChoice[] => {
    const words = cliWords(action)
    if (typed.startsWith(`${words} `))
      return action.on === 'none' ? [] : recordChoices(ui, resource, action, typed.slice(words.length + 1))
    if (!words.startsWith(typed.trimEnd()) && !words.startsWith(typed)) return []
    return [plainChoice(ui, resource, action, words)]
  })
}

/** The verb alone: on what is marked or focused, where that is of this kind. */
function plainChoice(ui: Ui, resource: Resource, action: Action, words: string): CommandChoice {
  const { translator, view } = ui.desk
  const { t, say } = translator
  const rows = action.on === 'none' ? [] : chosenRows(ui, resource)
  const { reason } = stateOf(ui, action, rows)
  const label = say(actionKey(action))
  const on =
    rows.length === 0
      ? ''
      : t('ui.tui.command.onMarked', { count: rows.length, name: plainText(titleOf(resource, rows[0]!)) })
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
  const { translator, view, records } = ui.desk
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
  return field === undefined ? `#${row.id}` : presentCell(ui.desk.surface(), { resource, row, field }).text
}

function profileChoices(ui: Ui, before: string, typed: string, prefix: string): CommandChoice[] {
  const { t } = ui.desk.translator
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
          if (done && before !== '') commandChoices(ui, before)[0]?.run()
        }),
    }))
}

function fixedChoices(ui: Ui): CommandChoice[] {
  const { t } = ui.desk.translator
  const plain = { reason: null, cli: null }
  return [
    { ...plain, text: 'profile ', detail: t('ui.tui.command.profile'), chord: null, run: () => undefined },
    { ...plain, text: 'help', detail: t('ui.keys.keys'), chord: '?', run: () => runCommand(ui, { command: 'keys' }) },
    { ...plain, text: 'quit', detail: t('ui.tui.command.quit'), chord: 'q', run: () => ui.quit(0) },
  ]
}
