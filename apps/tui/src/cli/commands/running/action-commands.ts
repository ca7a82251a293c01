import {
  actionState,
  askAbove,
  callsForEach,
  cliWords,
  commandTail,
  confirmOf,
  createDryRun,
  flagName,
  insistsOnWords,
  isCommand,
  lineWithCommand,
  namedBy,
  namedTargets,
  previewAction,
  type Question,
  questionOf,
  quoted,
  readsOnly,
  rowsAlready,
  runAction,
  sayText,
  type TextRef,
  withCommandApart,
} from '@qd/core/actions'
import type { Records } from '@qd/core/api'
import {
  type Action,
  type ActionContext,
  type AnyRow,
  actionKey,
  allowed,
  demand,
  isSupported,
  type Resource,
  titleOf,
  type Values,
} from '@qd/core/define'
import { AppError, lastItem, toAppError, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import { run as runResource } from '@qd/core/resources'
import { jsonFields, rowStatus } from '@qd/core/view'
import { aboutResource, type Cli, type Command, type Flag, type FlagValues, partlyCode, wordsIn } from '../command.ts'
import { fieldFlags, fieldHelp, fieldTexts } from '../flags/field-flags.ts'
import { confirmFlags, dryRunFlag, hostFlags, partFlag, resultFlags, selectFlags } from '../flags/flags.ts'
import { examplesOf } from '../help/examples.ts'
import { pickMany } from '../pick.ts'
import {
  doneJson,
  type OutcomeShown,
  outputOf,
  refusalLine,
  showEach,
  showOutcome,
  waitLimits,
} from '../printing/outcome.ts'
import { printDryRun } from '../printing/show.ts'
import { findOne, recordsNamed } from '../read.ts'
import { argumentsOf, confirmed, editArguments, inputFlag, printArguments, withInput } from './asking.ts'
import { alignLimits, unswallow } from './command-words.ts'

export interface ActionRequest {
  resource: Resource
  action: Action
  words: readonly string[]
  flags: FlagValues
  tail: string | null
}

/** Runs an action through the pipeline and prints the outcome. Returns the exit code. Errors: AppError. */
export async function runActionCommand(cli: Cli, request: ActionRequest): Promise<number> {
  const { resource, action } = request
  const { words, rest } = request.tail === null ? { ...request, rest: null } : commandTail(cli.args, request.words)
  const { names, flags } = unswallow(action, words, request.flags)
  const texts = new Map(action.args ? await fieldTexts(cli, action.args, flags) : [])
  if (rest !== null) {
    if (texts.has(request.tail!)) throw usageError('givenTwice', { flag: `--${request.tail}` })
    texts.set(request.tail!, rest)
  }
  const typedCommand = request.tail === null ? undefined : texts.get(request.tail)
  if (flags.stdin === true && typedCommand !== undefined) texts.set(request.tail!, await withInput(cli, typedCommand))
  const word = action.args?.word ?? null
  const typed = names[action.on === 'one' ? 1 : 0]
  if (word !== null && typed !== undefined) {
    if (texts.has(word)) throw usageError('givenTwice', { flag: `--${word}` })
    texts.set(word, typed)
  }
  const isCommand = request.tail !== null
  const limits = action.starts || action.brings ? waitLimits(flags, { isFollowed: isCommand }) : null
  const changesValues = action.args !== null && (action.args.sends === 'changed' || action.wire?.method === 'PATCH')
  const isReading = changesValues && texts.size === 0 && flags.edit !== true
  const shown = {
    action,
    limits: isCommand && limits ? alignLimits(action, { texts, flags, limits }) : limits,
    output: isReading ? null : outputOf(flags),
    isCommand,
    isOurs: isCommand,
    isHandedOn: flags.exitCode === true,
  }
  const records = await recordsNamed(cli, resource, { words: names, flags })
  const line = `qd ${cliWords(action)}`
  const hasNoCommand = isCommand && typedCommand === undefined
  const choose = async () => {
    if (action.on === 'none') return []
    if (action.on === 'one') return [await findOne(resource, records, names[0], action.name)]
    return pickMany({ cli, resource, records, words: names, flags, command: line, action })
  }
  const rows = await choose().catch((thrown: unknown) => {
    if (flags.ignoreNotFound === true && toAppError(thrown).code === 'notFound') return null
    throw hasNoCommand ? withCommandApart(thrown, { line, words: names }) : thrown
  })
  if (rows && shown.isHandedOn && (rows.length !== 1 || !limits))
    throw usageError('exitCode', { try: `${line} --help` })
  if (rows === null) {
    cli.note(cli.t('ui.cli.act.gone'))
    return 0
  }
  if (hasNoCommand && !cli.canAsk) {
    const chosen = ['qd', ...cli.io.args.filter((word) => word !== '--')].map(quoted).join(' ')
    throw usageError('missingFlag', { flag: flagName(request.tail!), try: lineWithCommand(chosen, []) })
  }
  return perform(cli, { action, resource, rows, records, flags, texts, shown, isReading })
}

interface Performed extends Pick<ActionRequest, 'action' | 'resource' | 'flags'> {
  rows: readonly AnyRow[]
  records: Records
  texts: ReadonlyMap<string, string>
  shown: Omit<OutcomeShown, 'outcome' | 'rows'>
  isReading: boolean
}

async function perform(cli: Cli, from: Performed): Promise<number> {
  const { action, resource, rows, records, flags, texts, shown, isReading } = from
  const { translator } = cli
  const { client, viewer: whoIs } = await cli.connect()
  const [viewer, capabilities] = await Promise.all([whoIs(), client.capabilities()])
  const supports = (name: string) => capabilities.includes(name)
  const missing = [...texts.keys()].find((name) => !isSupported(action.args?.fields[name], { supports }))
  if (missing !== undefined)
    throw new AppError('unsupported', { name: flagName(missing, action.args?.fields[missing]?.kind) })
  // Prefetches everything the pipeline reads, because it can't wait.
  const { reason } = await records.read((view) => {
    confirmOf(action, resource, rows, { view, viewer })
    return actionState(action, rows, { viewer, view, supports })
  })
  const context: ActionContext = { api: client, viewer, view: records.view() }
  // Checks read permission before sending: a script that fails afterwards would send twice.
  if (shown.limits && !isReading && !action.brings) {
    if (supports('runs')) demand(viewer, { audience: 'user', scope: runResource.scopes.read })
    else if (!action.evidence)
      throw new AppError('unsupported', { capability: 'runs', text: translator.t('ui.cli.run.noLedger') })
  }
  if (action.capability !== null) await cli.demand(action.capability)
  const answer = async ({ args, ...question }: Omit<Question, 'confirm'>) =>
    args && flags.edit === true
      ? editArguments(cli, question)
      : args
        ? argumentsOf(cli, { ...question, args }, { texts, records, viewer })
        : {}
  if (rows.length > 1 && (isReading || flags.edit === true))
    throw usageError('nothingToChange', { try: `qd ${cliWords(action)} --help` })
  if (isReading) {
    return printArguments(cli, {
      args: action.args!,
      values: await action.args!.start(context, rows),
      flags,
      view: context.view,
    })
  }
  const already = await records.read((view) => rowsAlready(action, rows, view))
  for (const { row, reason } of already) {
    const name = `${plainText(titleOf(resource, row))} (${row.id})`
    cli.note(translator.t('ui.cli.act.already', { name, reason: sayText(translator, reason) }))
  }
  const left = rows.filter((row) => already.every((one) => one.row !== row))
  if (already.length > 0 && left.length === 0) {
    if (shown.output && flags.dryRun !== true) cli.json(doneJson({}))
    return 0
  }
  if (flags.dryRun === true) {
    if (!allowed(viewer, action)) demand(viewer, action)
    if (reason) throw blockedBy(cli, { resource, rows, context, reason })
    const question = questionOf(action, resource, left, context)
    return dryRun(cli, { ...from, rows: left }, { context, args: question ? await answer(question) : {} })
  }
  const targetsOf = async (chosen: readonly AnyRow[]) =>
    action.evidence
      ? records.read((view) => previewAction(action, resource, chosen, { view, viewer })?.targets ?? null)
      : null
  let isDeclined = false
  let named = ''
  let given: Values = {}
  const ask = async ({ confirm, ...question }: Question): Promise<Values | null> => {
    if (isDeclined) return null
    const values = await answer(question)
    if (question.args) given = values
    named = namedBy(action, values)
    // A separate confirmation comes without arguments.
    if (!confirm || (question.args && confirm.level === 'separately')) return values
    const { servers } = confirm
    const fleet = action.allAtOnce && servers > askAbove ? (await records.read((view) => view.all('server'))).length : 0
    const insists = insistsOnWords(action, { rows: question.rows, args: given, servers, fleet })
    isDeclined = !(await confirmed(cli, confirm, { flags, view: context.view, insists }))
    return isDeclined ? null : values
  }
  const targets = await targetsOf(left)
  const report = await runAction({
    ...{ action, rows: left, supports, context, ask },
    failFast: flags.failFast === true,
    onFailed({ id, error }) {
      const row = left.find((one) => one.id === id)
      cli.io.stderr.write(`${refusalLine(cli, `${row ? titleOf(resource, row) : ''} (${id})`, error)}\n`)
    },
  })
  switch (report.kind) {
    case 'failed':
      throw report.error
    case 'refused':
      throw blockedBy(cli, { resource, rows, context, reason: report.reason })
    case 'cancelled':
      return cli.declined()
    case 'ok': {
      const { outcome } = report
      const how = { ...shown, rows: left, args: given, targets, named }
      if (outcome.kind !== 'sent') return showOutcome(cli, { ...how, outcome })
      if (left.length > 1 && callsForEach(action)) return showEach(cli, { ...how, outcome }, (row) => targetsOf([row]))
      const code = await showOutcome(cli, { ...how, outcome })
      return code === 0 && outcome.failed?.length ? partlyCode : code
    }
  }
}

function blockedBy(
  { translator, format }: Cli,
  from: { resource: Resource; rows: readonly AnyRow[]; context: ActionContext; reason: TextRef },
): AppError {
  const { resource, rows, context, reason } = from
  const [row] = rows
  const absence =
    row && rows.length === 1 ? rowStatus({ translator, format, ...context }, resource, row)?.absence : null
  return new AppError('blocked', {
    ...(row && absence && { name: titleOf(resource, row), standing: absence }),
    text: sayText(translator, reason),
  })
}

async function dryRun(
  cli: Cli,
  { action, resource, rows, shown }: Performed,
  { context, args }: { context: ActionContext; args: Values },
): Promise<number> {
  const { view, viewer } = context
  const api = createDryRun(context.api)
  const { wire } = action
  await action.run({ ...context, api }, rows, args)
  if (wire && api.calls.length === 0)
    await api.send({ method: wire.method, path: wire.path, body: wire.body?.(rows, args) })
  const confirm = confirmOf(action, resource, rows, { view, viewer })
  const targetPreview = confirm?.targetPreview
  const targets = targetPreview && namedTargets(targetPreview.targets, view)
  const notes = targetPreview ? [cli.say(targetPreview.sentence.key, targetPreview.sentence.params)] : []
  for (const warning of confirm?.warnings ?? []) cli.warn(sayText(cli.translator, warning))
  printDryRun(cli, { api, json: shown.output !== null, notes, ...(targets ? { targets } : {}) })
  return 0
}

/** Commands of a resource’s actions, or those that stand beside it, such as `exec`. */
export function actionCommands(resource: Resource, { areTopLevel = false } = {}): Command[] {
  return Object.values(resource.actions)
    .filter((action) => isCommand(action) && cliWords(action).includes(' ') !== areTopLevel)
    .map((action) => actionCommand(resource, action, ({ say }) => say(actionKey(action))))
}

export function deleteCommand(resource: Resource): Command {
  return actionCommand(resource, resource.actions.delete!, aboutResource('ui.cli.commands.delete', resource))
}

function actionCommand(resource: Resource, action: Action, help: Command['help']): Command {
  const words = cliWords(action)
  const takesMany = action.on === 'many'
  const tail = Object.entries(action.args?.fields ?? {}).find(([, { kind }]) => kind === 'command')?.[0] ?? null
  const word = action.args?.word ?? null
  const typedWord = word === null ? '' : `[${word}]`
  return {
    name: lastItem(words.split(' ')),
    help,
    examples: examplesOf(action, words),
    ...(action.on === 'none'
      ? typedWord !== '' && { args: typedWord }
      : {
          args: takesMany ? '[names...]' : `[name] ${typedWord}`.trim(),
          values: { kind: 'records', of: resource.name },
        }),
    ...(word !== null && { argHelp: { [word]: fieldHelp(action.args!, word) } }),
    ...(tail !== null && { tail: true }),
    flags: [
      ...(takesMany ? selectFlags(resource.name) : []),
      ...(action.on === 'none' ? [] : hostFlags(resource)),
      ...(action.args ? fieldFlags(action.args) : []),
      ...(action.args?.sends === 'changed' ? [{ flags: '--edit', help: 'ui.cli.flags.edit' }] : []),
      ...(tail === null ? [] : [inputFlag, exitCodeFlag]),
      ...(action.starts ? (tail === null ? runFlags : commandFlags) : []),
      ...(action.brings ? arrivalFlags : []),
      ...(takesMany && callsForEach(action) ? [{ flags: '--fail-fast', help: 'ui.cli.flags.failFast' }] : []),
      ...(action.confirm === 'none' ? [] : confirmFlags),
      ...(action.name === 'delete' ? [ignoreNotFoundFlag] : []),
      ...(readsOnly(action) ? [] : [dryRunFlag]),
      ...resultFlags(() => (action.starts ? jsonFields(runResource) : [])),
      ...(action.starts ? [partFlag] : []),
    ],
    run: (cli, given, flags) => runActionCommand(cli, { resource, action, words: wordsIn(given), flags, tail }),
  }
}

const ignoreNotFoundFlag: Flag = { flags: '--ignore-not-found', help: 'ui.cli.flags.ignoreNotFound' }

const exitCodeFlag: Flag = { flags: '--exit-code', help: 'ui.cli.flags.exitCode' }

const waitFlags = (wait: Flag, timeout: string): readonly Flag[] => [
  wait,
  { flags: '--timeout <time>', help: timeout },
  { flags: '--poll <time>', help: 'ui.cli.flags.poll' },
]

const commandFlags = waitFlags({ flags: '--no-wait', help: 'ui.cli.flags.noWait' }, 'ui.cli.flags.commandTimeout')
const runFlags = waitFlags({ flags: '--wait', help: 'ui.cli.flags.wait' }, 'ui.cli.flags.waitTimeout')
/** Of a text that brings records once it is run elsewhere. */
const arrivalFlags = waitFlags({ flags: '--wait', help: 'ui.cli.flags.waitArrival' }, 'ui.cli.flags.waitTimeout')
