import {
  type Aliases,
  actionLine,
  cliWords,
  expandLine,
  isTaken,
  listLine,
  nounFor,
  sayText,
  verbFor,
  wordsOf,
} from '@qd/core/actions'
import { type Action, type AnyRow, actionKey, allowed, fieldOf, type Resource, textKey, titleOf } from '@qd/core/define'
import { AppError, firstItem } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { errorText } from '@qd/core/i18n'
import { logFields } from '@qd/core/logs'
import { resources } from '@qd/core/resources'
import { tokens } from '@qd/core/targets'
import { presentCell } from '@qd/core/view'
import { shellQuote } from '@qd/protocol/shell-quote'
import { stateOf } from '../../screen/state/actions.ts'
import type { Ui } from '../../screen/state/ui.ts'
import { perform } from '../perform/perform.ts'
import { profileNames, switchProfile } from '../perform/switch.ts'
import { createActivityList } from '../views/activity-list.ts'

export interface CommandChoice {
  readonly text: string
  readonly detail: string
  readonly reason: string | null
  readonly chord: string | null
  /** For a shell; null if the CLI lacks it. */
  readonly cli: string | null
  run(): void
}

const most = 50

const choice = (text: string, detail: string, run: () => void, more: Partial<CommandChoice> = {}): CommandChoice => ({
  ...{ text, detail, run, reason: null, chord: null, cli: null },
  ...more,
})

/** Best first, in the words of the CLI without `qd` (behaviour T-18). */
export function commandChoices(ui: Ui, typed: string, aliases: Aliases): CommandChoice[] {
  const own = aliasChoices(ui, typed.trimStart(), aliases)
  const others = wordChoices(ui, inOurWords(typed.trimStart(), aliases))
  return own[0]?.text === typed.trim() ? [...own, ...others] : [...others, ...own]
}

function aliasChoices(ui: Ui, typed: string, aliases: Aliases): CommandChoice[] {
  return Object.entries(aliases)
    .filter(([name]) => name.startsWith(typed) && !isOurs(name))
    .sort(([a], [b]) => a.length - b.length || a.localeCompare(b, 'en'))
    .map(([name, words]): CommandChoice => {
      const line = expandLine(name, aliases)
      const [meant] = wordChoices(ui, inOurWords(line, {}))
      const unknown = ui.workspace.t('ui.tui.command.unknown', { text: line })
      const { reason, cli } = meant ?? { reason: unknown, cli: null }
      return choice(name, `= ${plainText(words)}`, () => meant?.run(), { reason, cli })
    })
}

function wordChoices(ui: Ui, text: string): CommandChoice[] {
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
  const fixed = [...fixedChoices(ui).filter((choice) => choice.text.startsWith(text)), ...logsChoice(ui, text)]
  if (text === '') return [...lists.filter((choice) => !choice.text.includes(' ')), ...fixed]
  const found = visible.flatMap((resource) => [
    ...filterChoices(ui, resource, text),
    ...verbChoices(ui, resource, text),
    ...recordChoice(ui, resource, text),
  ])
  const refused = resources
    .filter((resource) => !mayRead(resource))
    .flatMap((resource) => refusedChoice(ui, resource, text))
  return [...lists, ...found, ...refused, ...fixed].slice(0, most)
}

function listChoices({ workspace, places }: Ui, resource: Resource): CommandChoice[] {
  const detail = workspace.say(textKey.many(resource.name))
  const more = { chord: resource.go, cli: listLine(resource) }
  const list = choice(resource.name, detail, () => places.goTo(resource), more)
  return resource.wire.shape === 'many' ? [list, { ...list, text: `${resource.name} ls` }] : [list]
}

const names: readonly string[] = resources.map(({ name }) => name)

const isOurs = (word: string) => isTaken(word, [...names, 'profile', 'help'])

function refusedChoice(ui: Ui, resource: Resource, text: string): CommandChoice[] {
  if (text !== resource.name && !text.startsWith(`${resource.name} `)) return []
  const { title } = errorText(ui.workspace.translator, new AppError('forbidden'))
  return listChoices(ui, resource)
    .slice(0, 1)
    .map((choice) => ({ ...choice, text, reason: title }))
}

/** Translates pasted lines and aliases: `qd tasks list` is `cron ls`. */
export function inOurWords(typed: string, aliases: Aliases): string {
  const [, word = '', behind = ''] = /^(?:qd\s+)?(\S*)(.*)$/s.exec(typed) ?? []
  if (behind !== '' && !isOurs(word) && Object.hasOwn(aliases, word))
    return inOurWords(expandLine(word + behind, aliases), {})
  // A lone word that may still become ours is left alone.
  const isOpen = behind === '' && names.some((name) => name.startsWith(word))
  const meant = isOpen ? [word] : nounFor(word, (name) => names.includes(name))
  if (!names.includes(firstItem(meant))) return typed.replace(/^qd\s+/, '')
  const said = behind.replace(/^(\s+)(\S+)/, (_, blank: string, verb: string) => blank + verbFor(verb))
  return meant.join(' ') + said
}

function recordChoice(ui: Ui, resource: Resource, text: string): CommandChoice[] {
  const { records, view, say } = ui.workspace
  const named = text.startsWith(`${resource.name} `) ? text.slice(resource.name.length + 1).trim() : ''
  const wanted = named.replace(/^get\s+/, '').replaceAll(/["']/g, '')
  if (wanted === '' || resource.wire.shape !== 'many') return []
  const isId = /^\d{1,15}$/.test(wanted)
  const row = records
    .peekAll(resource.name)
    .find((one) => String(one.id) === wanted || titleOf(resource, one) === wanted)
  // Loaded records have a choice with the verb.
  if (row ? wanted !== named.replaceAll(/["']/g, '') : !(isId && resource.wire.verbs.includes('get'))) return []
  const action = resource.actions.details ?? resource.actions.open
  const detail = row ? plainText(titleOf(resource, row)) : `${say(textKey.one(resource.name))} ${wanted}`
  const open = () => ui.places.openRecord(resource.name, row?.id ?? Number(wanted))
  return [choice(text, detail, open, { cli: row && action ? actionLine(action, [row], view) : null })]
}

/** `server /web`, `server cpu>90`, and `server ls --select 'cpu>90'`. */
function filterChoices(ui: Ui, resource: Resource, text: string): CommandChoice[] {
  const { rest, on } = resource.host ? targetIn(text) : { rest: text, on: undefined }
  const [, name, ls, typed] = /^(\S+)\s+(ls\s+)?(?:--select[ =])?(.*)$/.exec(rest) ?? []
  const isSaid =
    on !== undefined ||
    typed?.startsWith('/') ||
    (typed?.trim() !== '' && ls !== undefined) ||
    tokens(typed ?? '').some(({ kind }) => kind === 'operator')
  const filter = isSaid ? typed!.replace(/^\//, '').replace(/^(['"])(.*)\1$/, '$2') : undefined
  if (filter === undefined || name !== resource.name || resource.wire.shape !== 'many') return []
  const run = () => ui.places.filter(resource, filter.trim(), on)
  const detail = ui.workspace.say(textKey.many(resource.name))
  return [choice(text, detail, run, { chord: '/', cli: listLine(resource, filter) })]
}

/** A line without its `--on group:web`, or `--on 'group:web online'`, and what that says. */
function targetIn(text: string): { rest: string; on: string | undefined } {
  const found = /\s--on[ =](?:(['"])(.*?)\1|(\S*))/.exec(text)
  return found ? { rest: text.replace(found[0], ' '), on: found[2] ?? found[3] } : { rest: text, on: undefined }
}

function verbChoices(ui: Ui, resource: Resource, text: string): CommandChoice[] {
  // `get` shows the record, even if Enter opens its form.
  const isShown = (name: string) => name !== 'open' || resource.actions.details === undefined
  const actions = Object.values(resource.actions).filter(({ name }) => !name.startsWith('copy-') && isShown(name))
  return actions.flatMap((action): CommandChoice[] => {
    const words = cliWords(action)
    if (text.startsWith(`${words} `) && action.on !== 'none')
      return recordChoices(ui, resource, action, text.slice(words.length + 1))
    return words.startsWith(text.trimEnd()) ? [plainChoice(ui, resource, action, words)] : []
  })
}

function plainChoice(ui: Ui, resource: Resource, action: Action, words: string): CommandChoice {
  const { translator, view, t, say } = ui.workspace
  const rows = action.on === 'none' ? [] : chosenRows(ui, resource)
  const { reason } = stateOf(ui, action, rows)
  const label = say(actionKey(action))
  const on =
    rows.length === 0
      ? ''
      : rows.length === 1
        ? t('ui.tui.command.onOne', { name: plainText(titleOf(resource, firstItem(rows))) })
        : t('ui.tui.command.onMarked', { count: rows.length })
  const needsName = action.on !== 'none' && rows.length === 0
  return choice(words, [label, on].filter(Boolean).join(', '), () => void perform(ui, action, rows), {
    reason: needsName ? t('ui.tui.command.needsName') : reason && sayText(translator, reason),
    chord: action.key.tui,
    cli: actionLine(action, rows, view),
  })
}

function chosenRows(ui: Ui, resource: Resource): readonly AnyRow[] {
  return ui.screen?.resource === resource ? (ui.screen.chosen?.() ?? []) : []
}

/** Matches at the start first, then anywhere. */
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
    const line = `${cliWords(action)} ${shellQuote(plainText(name))}`
    return choice(line, describe(ui, resource, row), () => void perform(ui, action, [row]), {
      reason: reason && sayText(translator, reason),
      cli: actionLine(action, [row], view),
    })
  })
}

function describe(ui: Ui, resource: Resource, row: AnyRow): string {
  const field =
    Object.keys(resource.fields).find((name) => fieldOf(resource, name).kind === 'targets') ?? resource.state?.field
  return field === undefined ? `#${row.id}` : presentCell(ui.workspace.surface(), { resource, row, field }).text
}

function profileChoices(ui: Ui, before: string, typed: string, prefix: string): CommandChoice[] {
  const names = profileNames(ui).filter((name) => name.startsWith(typed))
  const go = (name: string) => void switchProfile(ui, name).then((done) => done && showList(ui, before))
  return names.map((name) => {
    const text = [before, `${prefix}${name}`].filter(Boolean).join(' ')
    return choice(text, ui.workspace.t('ui.tui.command.profile'), () => go(name))
  })
}

/** Opens a list with its filter. The viewer isn't known yet. */
function showList(ui: Ui, text: string): void {
  const resource = resources.find(({ name }) => name === text.split(/\s/)[0])
  if (resource) (filterChoices(ui, resource, text)[0] ?? listChoices(ui, resource)[0])?.run()
}

/** `logs 'group:web' --unit nginx --grep 5..` */
function logsChoice(ui: Ui, text: string): CommandChoice[] {
  const words = /^logs\s/.test(text) ? wordsOf(text)?.slice(1) : null
  if (!words) return []
  const query: Record<string, string> = {}
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    const flag = logFields.find((name) => word === `--${name}` || word.startsWith(`--${name}=`))
    if (flag && word.includes('=')) query[flag] = word.slice(word.indexOf('=') + 1)
    else if (flag) query[flag] = words[++at] ?? ''
    else if (!word.startsWith('-')) query.on = word
  }
  const open = () => ui.places.openScreen('logs', null, { query })
  return [choice(text, ui.workspace.t('ui.logs.title'), open, { chord: 'g L', cli: `qd ${text}` })]
}

function fixedChoices(ui: Ui): CommandChoice[] {
  const { t } = ui.workspace
  return [
    choice('profile ', t('ui.tui.command.profile'), () => undefined),
    choice('logs', t('ui.logs.title'), () => ui.places.openScreen('logs', null), { chord: 'g L' }),
    choice('activity', t('ui.commands.activity'), () => ui.open(createActivityList(ui))),
    choice('help', t('ui.keys.keys'), () => ui.places.openScreen('help', null), { chord: '?' }),
    choice('quit', t('ui.tui.command.quit'), () => ui.quit(0), { chord: 'q' }),
  ]
}
