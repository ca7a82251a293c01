import { createDryRun, describeCalls, quoted } from '@qd/core/actions'
import {
  carryOut,
  type DocumentProblem,
  namedEntities,
  type Plan,
  planDocument,
  planJson,
  type ReadState,
  type Result,
  readState,
  type Step,
  withNamed,
  withNewNames,
} from '@qd/core/documents'
import { AppError, firstItem, usageError } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import type { Translator } from '@qd/core/i18n'
import { readGiven } from '../../../base/connect/settings.ts'
import { escapeJson } from '../../../base/output/json.ts'
import { exitCodeOf, problemText } from '../../../base/output/print-error.ts'
import { type Cli, type Command, type Flag, type FlagValues, partlyCode, textFlag } from '../command.ts'
import { dryRunFlag, resultFlags } from '../flags/flags.ts'
import { refusalLine } from '../printing/outcome.ts'
import { printDryRun } from '../printing/show.ts'

const differsCode = 1

const fileFlag: Flag = { flags: '-f, --file <file>', help: 'ui.cli.flags.documentFile' }
const pruneFlag: Flag = { flags: '--prune', help: 'ui.cli.flags.prune' }
const secretsFlag: Flag = { flags: '--set-secrets', help: 'ui.cli.flags.setSecrets' }
const jsonFlags = resultFlags(() => ['changes', 'same'])

export const applyFlags: readonly Flag[] = [
  { flags: '-y, --yes', help: 'ui.cli.flags.yes' },
  { flags: '--fail-fast', help: 'ui.cli.flags.failFast' },
  dryRunFlag,
  ...jsonFlags,
]

function documentCommand(
  name: 'diff' | 'apply' | 'import',
  examples: readonly string[],
  flags: readonly Flag[],
  finish: (cli: Cli, plan: Plan, how: { flags: FlagValues; again: string }) => Promise<number> | number = carriedOut,
): Command {
  return {
    ...{ name, help: `ui.cli.commands.${name}`, args: '[file]', examples },
    flags: [fileFlag, ...flags],
    async run(cli, [word], given) {
      const path = word ?? textFlag(given, 'file')
      if (path === undefined) throw usageError('missingArgument', { name: 'file', try: `qd ${name} qd.yaml` })
      const plan = await planOf(cli, { path, flags: given, onlyNew: name === 'import' })
      return finish(cli, plan, { flags: given, again: `qd ${name} ${quoted(path)}` })
    },
  }
}

/** `qd diff`, `qd apply` and `qd import` (behaviours C-19, D7). */
export const documentCommands: readonly Command[] = [
  documentCommand(
    'diff',
    ['diff qd.yaml', 'diff - --json < qd.yaml'],
    [pruneFlag, secretsFlag, ...jsonFlags],
    (cli, plan, { flags }) => {
      if (flags.json === undefined) printPlan(cli, plan)
      else cli.json(planJson(plan, null))
      return plan.steps.every(({ kind }) => kind === 'same') ? 0 : differsCode
    },
  ),
  documentCommand(
    'apply',
    ['apply qd.yaml --dry-run', 'apply qd.yaml --prune --yes', 'apply -f - < qd.yaml'],
    [pruneFlag, secretsFlag, ...applyFlags],
  ),
  documentCommand('import', ['import tasks.yaml --dry-run', 'import tasks.yaml --yes'], applyFlags),
]

async function planOf(
  cli: Cli,
  { path, flags, onlyNew }: { path: string; flags: FlagValues; onlyNew: boolean },
): Promise<Plan> {
  const { readSource } = await cli.io.libraries.yaml()
  const read = readSource(await readGiven(cli.io, path, { lines: true }))
  const { t } = cli
  if (!read.ok) {
    const text = t('ui.documents.line', { line: String(read.line), text: read.text })
    throw usageError('brokenFile', { path, text })
  }
  const { client } = await cli.connect()
  const { state } = await readState(client, withNamed(namedEntities(read.source)))
  const [prune, setSecrets] = [flags.prune === true, flags.setSecrets === true]
  const plan = planDocument({ source: read.source, state, onlyNew, prune, setSecrets })
  demandSound(cli, path, plan)
  if (plan.secretsKept > 0) cli.note(t('ui.documents.secretsKept'))
  return plan
}

/** Shows a plan, confirms, sends it and prints the results. Returns the exit code. Errors: `usage` if nobody can be asked. */
export async function carriedOut(
  cli: Cli,
  plan: Plan,
  { flags, again, more = {} }: { flags: FlagValues; again: string; more?: Readonly<Record<string, unknown>> },
): Promise<number> {
  const { t } = cli
  const isJson = flags.json !== undefined
  const count = plan.steps.filter(({ kind }) => kind !== 'same').length
  if (!isJson) printPlan(cli, plan)
  const { client } = await cli.connect()
  const capabilities = await client.capabilities()
  const supports = (name: string) => capabilities.includes(name)
  if (flags.dryRun === true) {
    const api = createDryRun(client)
    await carryOut({ api, plan, supports, isDry: true })
    const calls = api.calls.map((call) => ({ ...call, body: withNewNames(plan, call.body) }))
    if (!isJson) printDryRun(cli, { api: { calls }, notes: [], json: false })
    else {
      cli.json({ dry_run: true, calls: describeCalls({ calls }), ...planJson(plan, null), ...more })
      cli.note(t('ui.cli.dryRun.nothing'))
    }
    return 0
  }
  if (count === 0) {
    if (isJson) cli.json({ ...planJson(plan, []), ...more })
    return 0
  }
  if (flags.yes !== true) {
    if (!cli.canAsk) throw usageError('needsYes', { count, try: `${again} --yes` })
    if (!(await cli.ask(t('ui.documents.ask')))) return cli.declined()
  }
  const results = await carryOut({ api: client, plan, supports, failFast: flags.failFast === true })
  if (isJson) cli.json({ ...planJson(plan, results), ...more })
  return printResults(cli, results)
}

const marks = { create: ['+', 'ok'], edit: ['~', 'warn'], delete: ['-', 'bad'] } as const

const value = (one: unknown) => escapeJson(JSON.stringify(one ?? null))

function nameOf({ resource, title, base }: Step): string {
  const id = base && resource.wire.shape === 'many' ? ` (${base.id})` : ''
  return `${resource.name} ${plainText(title)}${id}`
}

export function printPlan(cli: Cli, { steps }: Plan): void {
  for (const step of steps) {
    if (step.kind === 'same') continue
    const [mark, tone] = marks[step.kind]
    cli.print(cli.out.paint(tone, `${mark} ${nameOf(step)}`))
    for (const { field, from, to } of step.changes)
      cli.print(`    ${field}: ${step.kind === 'edit' ? `${value(from)} -> ` : ''}${value(to)}`)
  }
  const count = (kind: Step['kind']) => steps.filter((step) => step.kind === kind).length
  cli.note(
    cli.t('ui.documents.sums', {
      create: count('create'),
      edit: count('edit'),
      remove: count('delete'),
      same: count('same'),
    }),
  )
}

export function printResults(cli: Cli, results: readonly Result[]): number {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  for (const { step, error } of failed) cli.io.stderr.write(`${refusalLine(cli, nameOf(step), error!)}\n`)
  const done = results.filter(({ outcome }) => outcome === 'done').length
  const left = results.length - done - failed.length
  cli.note(cli.t('ui.cli.act.partly', { done, failed: failed.length, left }))
  if (failed.length === 0) return 0
  return done > 0 ? partlyCode : exitCodeOf(firstItem(failed).error!)
}

/** Errors: `invalid` with a line per problem. */
export function demandSound({ translator }: Cli, path: string, { problems }: Plan): void {
  if (problems.length === 0) return
  const inOrder = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  const lines = inOrder.map((problem) => problemLine(translator, problem))
  throw new AppError('invalid', { reason: 'badDocument', path, lines })
}

export function faultText(translator: Translator, { what }: Pick<DocumentProblem, 'what'>): string {
  return 'fault' in what
    ? translator.say(`ui.documents.faults.${what.fault}`, what.params)
    : problemText(what.problem, translator)
}

function problemLine(translator: Translator, problem: DocumentProblem): string {
  const { line, resource, title, field } = problem
  const sentence = faultText(translator, problem)
  const record = [resource?.name, title].filter((part) => part !== null && part !== undefined && part !== '').join(' ')
  const place = [record, field].filter(Boolean).join(', ')
  const text = place === '' ? sentence : `${place}: ${sentence}`
  return line === null ? text : translator.t('ui.documents.line', { line: String(line), text })
}

/** Warns about records that can't be read. Resources that the server lacks aren't missing. */
export function warnUnreadable({ translator, warn }: Cli, { unread, bad }: Pick<ReadState, 'unread' | 'bad'>): void {
  const { t } = translator
  for (const { resource, reason } of bad) warn(t('ui.cli.list.badRow', { name: resource.name, reason }))
  for (const { resource, error } of unread) {
    const isRefused = error.code !== 'noRoute' && error.code !== 'unsupported'
    if (isRefused) warn(t('ui.documents.unread', { name: resource.name }))
  }
}
