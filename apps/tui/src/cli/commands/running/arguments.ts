import { checkedArguments, flagName, type Question, same } from '@qd/core/actions'
import type { Records } from '@qd/core/api'
import { type FormShape, fieldKey, fieldOf, textKey, type Values, type View, type Viewer } from '@qd/core/define'
import { AppError, type Problem, usageError } from '@qd/core/errors'
import { commandWithInput, machineValue, parseInput, plainLines } from '@qd/core/fields'
import { longestCommand } from '@qd/core/schemas'
import { createArgumentsForm, presentCell, qrLines } from '@qd/core/view'
import { editInEditor } from '../../../base/editor.ts'
import { labeledLines } from '../../../base/output/table.ts'
import type { Cli, Flag, FlagValues } from '../command.ts'
import { pickFields, resultFields } from '../flags/flags.ts'

/** Passes stdin to the command on hosts. */
export const inputFlag: Flag = { flags: '-i, --stdin', help: 'ui.cli.flags.stdin' }

/**
 * Appends stdin as a here document, because agents run one shell line. Errors: `usage` without piped input, for binary
 * and for too long input.
 */
export async function withInput({ io }: Cli, command: string): Promise<string> {
  if (io.stdin.isTTY) throw usageError('noPipedInput', { try: `echo TEXT | qd exec -i web-1 -- cat` })
  const text = await io.stdin.readAll()
  if (/[\0\ufffd]/.test(text)) throw usageError('binaryInput', { try: 'qd files put' })
  const whole = commandWithInput(command, text)
  if (whole.length > longestCommand) throw usageError('longInput', { try: 'qd files put' })
  return whole
}

export function printArguments(
  cli: Cli,
  { args, values, flags, view }: { args: FormShape; values: Values; flags: FlagValues; view: View },
): number {
  const names = args.form.flatMap(({ fields }) => fields.map(({ field }) => field))
  const wanted = resultFields(flags, names)
  const machine = Object.fromEntries(names.map((name) => [name, machineValue(fieldOf(args, name), values[name])]))
  if (wanted) {
    cli.json(pickFields(machine, wanted))
    return 0
  }
  const { translator, format, io } = cli
  const lines = names.map((name): readonly [string, string] => {
    const surface = { translator, format, view, viewer: { id: 0, username: '', role: 0, scopes: null } }
    const { text, full = text } = presentCell(surface, {
      resource: args,
      row: { id: 0 },
      field: name,
      value: values[name],
    })
    return io.stdout.isTTY
      ? [translator.say(fieldKey(args, name)), plainLines(full)]
      : [name, JSON.stringify(machine[name])]
  })
  for (const line of labeledLines(lines, cli.out)) cli.print(line)
  return 0
}

type ArgumentRequest = Pick<Question, 'action' | 'resource' | 'rows' | 'start'> & {
  args: NonNullable<Question['args']>
}

export async function argumentsOf(
  cli: Cli,
  { action, args, resource, rows, start }: ArgumentRequest,
  from: { texts: ReadonlyMap<string, string>; records: Records; viewer: Viewer },
): Promise<Values> {
  const { records, viewer } = from
  const texts = new Map(from.texts)
  if (args.sends === 'changed') return checkedArguments(action, await records.read((view) => parsed(args, texts, view)))
  const values = await start()
  let shown: readonly string[] = []
  for (;;) {
    const submitted = await records.read((view) => {
      const form = createArgumentsForm({
        action,
        args,
        resource,
        rows,
        start: values,
        view,
        viewer,
        translator: cli.translator,
      })
      for (const [field, text] of texts) form.setText(field, text)
      if (args.scan && texts.size === 0)
        shown = [
          ...qrLines(args.scan(values)),
          '',
          cli.translator.say(textKey.preview(args.name)),
          ...(form.preview() ?? []),
        ]
      return form.submit()
    })
    if (submitted.ok) return submitted.input
    const missing = submitted.problems.map(({ field }) => field).filter((field) => !texts.has(field))
    if (missing.length < submitted.problems.length) throw new AppError('invalid', {}, { problems: submitted.problems })
    if (!cli.canAsk)
      throw usageError('missingFlag', {
        flag: missing.map((field) => flagName(field, args.fields[field]?.kind)).join(', '),
      })
    // A QR code comes before the question that it answers.
    for (const line of shown) cli.note(line)
    shown = []
    for (const field of missing) {
      texts.set(field, await cli.demandText(`${cli.translator.say(fieldKey(args, field))}:`))
    }
  }
}

function parsed({ fields }: ArgumentRequest['args'], texts: ReadonlyMap<string, string>, view: View): Values {
  const problems: Problem[] = []
  const values = [...texts].flatMap(([field, text]) => {
    const read = parseInput(fieldOf({ fields }, field), text, { fieldName: field, view })
    if (read.ok) return [[field, read.value] as const]
    problems.push(read.problem)
    return []
  })
  if (problems.length > 0) throw new AppError('invalid', {}, { problems })
  return Object.fromEntries(values)
}

/**
 * Edits values as JSON in the user's editor. Returns the differences. Errors: `usage` without a terminal, for invalid
 * JSON or no difference; `invalid` with problems.
 */
export async function editArguments(cli: Cli, { action, start }: Pick<Question, 'action' | 'start'>): Promise<Values> {
  if (!cli.canAsk) throw usageError('cannotAsk')
  const names = action.args!.form.flatMap(({ fields }) => fields.map(({ field }) => field))
  const before = await start()
  const shown = Object.fromEntries(names.map((name) => [name, before[name]]))
  const text = await editInEditor(cli.io, JSON.stringify(shown, null, 2), 'configuration.json')
  if (text === null) throw new AppError('cancelled')
  const after = objectOf(text)
  const changed = Object.entries(after).filter(([name, value]) => !same(value, before[name]))
  if (changed.length === 0) throw usageError('nothingToChange')
  return checkedArguments(action, Object.fromEntries(changed))
}

function objectOf(text: string): Record<string, unknown> {
  const broken = (detail: string) => usageError('brokenFile', { path: 'configuration.json', text: detail })
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (thrown) {
    throw broken(thrown instanceof Error ? thrown.message : '')
  }
  throw broken('')
}
