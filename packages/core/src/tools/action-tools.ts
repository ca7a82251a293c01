import {
  actionState,
  cliWords,
  confirmOf,
  createDryRun,
  describeCalls,
  namedTargets,
  readsOnly,
  runAction,
  sayText,
} from '../actions/index.ts'
import {
  type Action,
  type ActionContext,
  type AnyRow,
  actionKey,
  type Outcome,
  type Resource,
  textKey,
  type Values,
} from '../define/index.ts'
import { AppError } from '../errors.ts'
import { createFormat, errorLines, type Translator } from '../i18n/index.ts'
import { oneRecord, recordOf, recordsFor, someRecords } from './choosing.ts'
import { waitedRun } from './runs.ts'
import { type Json, objectOf, type Tool, type ToolCaller } from './tool.ts'
import { propertiesOf, valuesOf } from './values.ts'

/** Longest wait of a tool call for a run, in seconds. */
export const longestWait = 300

const waitSeconds = {
  type: 'integer',
  minimum: 0,
  maximum: longestWait,
  description:
    'maximum time to wait for the run, in seconds (default 30). The result includes its output; run.get returns the rest later',
} as const

/** Unless this argument is false, a tool only returns a preview. */
export const dryRunProperty = {
  type: 'boolean',
  default: true,
  description: 'true (default): preview the calls and the affected servers. false: do it',
} as const

export const askFirst = 'Returns a preview first. Call it again with dry_run false to do it.'

export const nothingDone = 'Nothing was done. Call it again with dry_run false to do it.'

export function actionTool(resource: Resource, action: Action, translator: Translator): Tool {
  const { say } = translator
  const isReading = readsOnly(action)
  const takes: Json = action.on === 'one' ? { record: oneRecord } : action.on === 'many' ? someRecords : {}
  const properties = {
    ...takes,
    ...(action.args && propertiesOf(action.args, translator)),
    ...(action.starts && { wait_seconds: waitSeconds }),
    ...(!isReading && { dry_run: dryRunProperty }),
  }
  const isFinal = action.final || action.confirm === 'delete'
  const about = `${say(actionKey(action))} (${say(textKey[action.on === 'many' ? 'many' : 'one'](resource.name))}).`
  return {
    name: toolName(action),
    description: [about, ...(isReading ? [] : [askFirst]), ...(isFinal ? [say('ui.confirm.final')] : [])].join(' '),
    inputSchema: {
      ...objectOf(properties, action.on === 'one' && resource.wire.shape === 'many' ? ['record'] : []),
      additionalProperties: false,
    },
    scope: action.scope,
    audience: action.audience,
    isReading,
    isFinal,
    async call(caller, { record, records, select, dry_run: dryRun, wait_seconds: wait, ...given }) {
      const rows =
        action.on === 'none'
          ? []
          : action.on === 'one'
            ? [await recordOf(caller, resource, record)]
            : await recordsFor(caller, resource, { records, select })
      const call = await prepared(caller, { action, resource, rows, given })
      if (!isReading && dryRun !== false) return planOf(caller, call)
      const report = await runAction({
        ...call,
        supports: caller.supports,
        ask: async ({ start }) => ({ ...(await start()), ...call.values }),
      })
      if (report.kind === 'failed') throw report.error
      if (report.kind !== 'ok') throw new AppError('cancelled')
      return answerOf(caller, call, report.outcome, Number(wait ?? 30))
    },
  }
}

/** The action’s `qd` command, with dots between the words. */
export function toolName(action: Action): string {
  return cliWords(action).replaceAll(' ', '.')
}

interface ActionCall {
  readonly action: Action
  readonly resource: Resource
  readonly rows: readonly AnyRow[]
  readonly values: Values
  readonly context: ActionContext
}

/** Loads everything that the synchronous pipeline reads. Errors: `blocked` with the reason. */
async function prepared(
  caller: ToolCaller,
  { action, resource, rows, given }: Pick<ActionCall, 'action' | 'resource' | 'rows'> & { given: Json },
): Promise<ActionCall> {
  const { viewer, records, client, supports } = caller
  const { values, reason } = await records.read((view) => {
    confirmOf(action, resource, rows, { view, viewer })
    const { reason } = actionState(action, rows, { viewer, view, supports })
    return { values: action.args ? valuesOf(action.args, given, view) : {}, reason }
  })
  if (reason) throw new AppError('blocked', { text: sayText(caller.translator, reason) })
  return { action, resource, rows, values, context: { api: client, viewer, view: records.view() } }
}

async function planOf(
  { translator }: ToolCaller,
  { action, resource, rows, values, context }: ActionCall,
): Promise<Json> {
  const api = createDryRun(context.api)
  const report = await runAction({
    ...{ action, rows, context: { ...context, api }, supports: () => true },
    ask: async ({ start }) => ({ ...(await start()), ...values }),
  })
  if (report.kind === 'failed') throw report.error
  const confirm = confirmOf(action, resource, rows, context)
  const { sentence, targets } = confirm?.targetPreview ?? {}
  return {
    dry_run: true,
    calls: describeCalls(api),
    ...(confirm && {
      asks: sayText(translator, confirm.title),
      records: confirm.objects.map(({ id, name }) => ({ id, name })),
    }),
    ...(sentence && { reaches: translator.say(sentence.key, sentence.params) }),
    ...(targets && namedTargets(targets, context.view)),
    ...(confirm?.warnings.length && { warnings: confirm.warnings.map((warning) => sayText(translator, warning)) }),
    next: nothingDone,
  }
}

/** Waits up to `wait` seconds for started runs. */
async function answerOf(caller: ToolCaller, { context }: ActionCall, outcome: Outcome, wait: number): Promise<Json> {
  const failedOf = (failed: (Outcome & { kind: 'done' })['failed']) =>
    failed?.length
      ? { failed: failed.map(({ id, error }) => ({ id, error: sentenceOf(caller.translator, error) })) }
      : {}
  switch (outcome.kind) {
    case 'done': {
      const { changed = [], removed = [], failed } = outcome
      return { done: true, changed, removed, ...failedOf(failed) }
    }
    case 'sent': {
      const { run, changed, buckets, failed } = outcome
      const runs = run === null ? outcome.runs?.map((one) => one.run) : undefined
      const started = wait <= 0 ? [] : (runs ?? (run === null ? [] : [run]))
      const waited = await Promise.all(started.map((id) => waitedRun(caller, id, wait)))
      const [first] = waited
      return {
        ...{ done: true, run, ...(runs && { runs }), changed },
        ...(buckets && { buckets }),
        ...(first && { is_over: waited.every(({ isOver }) => isOver) }),
        ...(first && (runs ? { records: waited.map(({ json }) => json) } : { record: first.json })),
        ...failedOf(failed),
      }
    }
    case 'report': {
      const around = { translator: caller.translator, format: createFormat(caller), view: context.view }
      return {
        done: outcome.ended !== 'badly',
        text: outcome.report(around).map(({ text }) => text),
        data: outcome.data,
      }
    }
    case 'secret':
      return { done: true, [outcome.of]: outcome.text }
    case 'copy':
      return { text: outcome.text }
    default:
      return { done: true }
  }
}

export function sentenceOf(translator: Translator, error: AppError): string {
  return errorLines(translator, error).join('. ')
}
