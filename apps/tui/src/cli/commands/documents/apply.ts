import { createDryRun, describeCalls } from '@qd/core/actions'
import { carryOut, namedEntities, type Plan, planDocument, readState, type Source, withNamed } from '@qd/core/documents'
import { AppError } from '@qd/core/errors'
import { readGiven } from '../../../base/connect/settings.ts'
import { type Cli, type Command, type Flag, type FlagValues, textFlag } from '../command.ts'
import { dryRunFlag, resultFlags } from '../flags/flags.ts'
import { quoted } from '../pick.ts'
import { printDryRun } from '../printing/dry-run-output.ts'
import { demandSound, planJson, printPlan, printResults, withNewNames } from './show-plan.ts'

const declinedCode = 1
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

/** `qd diff`, `qd apply` and `qd import` (behaviours C-19, D7). */
export function documentCommands(): readonly Command[] {
  const common = { args: '[file]' } as const
  return [
    {
      ...common,
      name: 'diff',
      help: 'ui.cli.commands.diff',
      flags: [fileFlag, pruneFlag, secretsFlag, ...jsonFlags],
      examples: ['diff qd.yaml', 'diff - --json < qd.yaml'],
      async run(cli, [word], flags) {
        const plan = await planOf(cli, { path: pathOf(word, flags, 'diff'), flags })
        if (flags.json === undefined) printPlan(cli, plan)
        else cli.json(planJson(plan, null))
        return isEmpty(plan) ? 0 : differsCode
      },
    },
    {
      ...common,
      name: 'apply',
      help: 'ui.cli.commands.apply',
      flags: [fileFlag, pruneFlag, secretsFlag, ...applyFlags],
      examples: ['apply qd.yaml --dry-run', 'apply qd.yaml --prune --yes', 'apply -f - < qd.yaml'],
      async run(cli, [word], flags) {
        const path = pathOf(word, flags, 'apply')
        const plan = await planOf(cli, { path, flags })
        return carriedOut(cli, plan, { flags, again: `qd apply ${quoted(path)}` })
      },
    },
    {
      ...common,
      name: 'import',
      help: 'ui.cli.commands.import',
      flags: [fileFlag, ...applyFlags],
      examples: ['import tasks.yaml --dry-run', 'import tasks.yaml --yes'],
      async run(cli, [word], flags) {
        const path = pathOf(word, flags, 'import')
        const plan = await planOf(cli, { path, flags, onlyNew: true })
        return carriedOut(cli, plan, { flags, again: `qd import ${quoted(path)}` })
      },
    },
  ]
}

const isEmpty = ({ steps }: Plan) => steps.every(({ kind }) => kind === 'same')

function pathOf(word: string | undefined, flags: FlagValues, command: string): string {
  const path = word ?? textFlag(flags, 'file')
  if (path === undefined)
    throw new AppError('usage', { reason: 'missingArgument', name: 'file', try: `qd ${command} qd.yaml` })
  return path
}

async function planOf(
  cli: Cli,
  { path, flags, onlyNew }: { path: string; flags: FlagValues; onlyNew?: true },
): Promise<Plan> {
  const { readSource } = await cli.io.libraries.yaml()
  const read = readSource(await readGiven(cli.io, path, { lines: true }))
  const { t } = cli.translator
  if (!read.ok) {
    const text = t('ui.documents.line', { line: String(read.line), text: read.text })
    throw new AppError('usage', { reason: 'brokenFile', path, text })
  }
  const plan = await planFor(cli, read.source, {
    prune: flags.prune === true,
    setSecrets: flags.setSecrets === true,
    onlyNew,
  })
  demandSound(cli, path, plan)
  if (plan.secretsKept > 0) cli.note(t('ui.documents.secretsKept'))
  return plan
}

export async function planFor(
  cli: Cli,
  source: Source,
  how: { prune?: boolean; setSecrets?: boolean; onlyNew?: true | undefined },
): Promise<Plan> {
  const { client } = await cli.connect()
  const { state } = await readState(client, withNamed(namedEntities(source)))
  const { onlyNew = false, ...others } = how
  return planDocument({ source, state, onlyNew, ...others })
}

/** Shows a plan, confirms, sends it and prints the results. Returns the exit code. Errors: `usage` if nobody can be asked. */
export async function carriedOut(
  cli: Cli,
  plan: Plan,
  { flags, again, more = {} }: { flags: FlagValues; again: string; more?: Readonly<Record<string, unknown>> },
): Promise<number> {
  const { t } = cli.translator
  const isJson = flags.json !== undefined
  const isDry = flags.dryRun === true
  const count = plan.steps.filter(({ kind }) => kind !== 'same').length
  if (!isJson) printPlan(cli, plan)
  if (isDry) return showCalls(cli, plan, isJson ? more : null)
  if (count === 0) {
    if (isJson) cli.json({ ...planJson(plan, []), ...more })
    return 0
  }
  if (flags.yes !== true) {
    if (!cli.canAsk) throw new AppError('usage', { reason: 'needsYes', count, try: `${again} --yes` })
    if (!(await cli.ask(t('ui.documents.ask')))) {
      cli.note(t('ui.cli.confirm.declined'))
      return declinedCode
    }
  }
  const { client } = await cli.connect()
  const capabilities = await client.capabilities()
  const results = await carryOut({
    api: client,
    plan,
    supports: (name) => capabilities.includes(name),
    failFast: flags.failFast === true,
  })
  if (isJson) cli.json({ ...planJson(plan, results), ...more })
  return printResults(cli, results)
}

async function showCalls(cli: Cli, plan: Plan, json: Readonly<Record<string, unknown>> | null): Promise<number> {
  const { client } = await cli.connect()
  const capabilities = await client.capabilities()
  const api = createDryRun(client)
  await carryOut({ api, plan, supports: (name) => capabilities.includes(name), isDry: true })
  const calls = api.calls.map((call) => ({ ...call, body: withNewNames(plan, call.body) }))
  if (!json) printDryRun(cli, { api: { calls }, notes: [], json: false })
  else {
    cli.json({ dry_run: true, calls: describeCalls({ calls }), ...planJson(plan, null), ...json })
    cli.note(cli.translator.t('ui.cli.dryRun.nothing'))
  }
  return 0
}
