import { type DocumentProblem, firstNew, type Plan, type ReadState, type Result, type Step } from '@qd/core/documents'
import { AppError, errorTraits, firstItem } from '@qd/core/errors'
import { plainText } from '@qd/core/fields'
import type { Translator } from '@qd/core/i18n'
import { escapeJson } from '../../../base/output/json.ts'
import { problemText } from '../../../base/output/print-error.ts'
import type { Cli } from '../command.ts'
import { refusalLine } from '../printing/outcome.ts'

const partlyCode = 6

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
    cli.translator.t('ui.documents.sums', {
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
  cli.note(cli.translator.t('ui.cli.act.partly', { done, failed: failed.length, left }))
  if (failed.length === 0) return 0
  return done > 0 ? partlyCode : errorTraits[firstItem(failed).error!.code].exit
}

export function planJson({ steps }: Plan, results: readonly Result[] | null): Record<string, unknown> {
  const resultOf = (step: Step) => {
    const result = results?.find((one) => one.step === step)
    return result ? { result: result.outcome, ...(result.error ? { error: result.error.code } : {}) } : {}
  }
  const idOf = (step: Step) => step.base?.id ?? results?.find((one) => one.step === step)?.id ?? null
  const changes = steps
    .filter(({ kind }) => kind !== 'same')
    .map((step) => ({
      change: step.kind,
      resource: step.resource.name,
      name: step.title,
      id: idOf(step),
      fields: Object.fromEntries(step.changes.map(({ field, from, to }) => [field, { from, to }])),
      ...resultOf(step),
    }))
  return { changes, same: steps.length - changes.length }
}

/** Errors: `invalid` with a line per problem. */
export function demandSound({ translator }: Cli, path: string, { problems }: Plan): void {
  if (problems.length === 0) return
  const inOrder = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
  const lines = inOrder.map((problem) => problemLine(translator, problem))
  throw new AppError('invalid', { reason: 'badDocument', path, lines })
}

export function problemLine(translator: Translator, { line, resource, title, field, what }: DocumentProblem): string {
  const sentence =
    'fault' in what
      ? translator.say(`ui.documents.faults.${what.fault}`, what.params)
      : problemText(what.problem, translator)
  const record = [resource?.name, title].filter((part) => part !== null && part !== undefined && part !== '').join(' ')
  const place = [record, field].filter(Boolean).join(', ')
  const text = place === '' ? sentence : `${place}: ${sentence}`
  return line === null ? text : translator.t('ui.documents.line', { line: String(line), text })
}

export function withNewNames(plan: Plan, body: unknown): unknown {
  if (typeof body === 'number' && body >= firstNew) {
    const step = plan.steps.find(({ id }) => id === body)
    return `new ${step?.resource.name} ${step?.title}`
  }
  if (Array.isArray(body)) return body.map((part) => withNewNames(plan, part))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, withNewNames(plan, part)]))
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
