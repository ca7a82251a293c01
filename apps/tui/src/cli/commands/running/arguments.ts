import { checkedArguments, flagName, type Question } from '@qd/core/actions'
import type { Records } from '@qd/core/api'
import { fieldKey, textKey, type Values, type View, type Viewer } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { parseInput } from '@qd/core/fields'
import { createArgumentsForm, qrLines } from '@qd/core/view'
import type { Cli } from '../cli.ts'

type Asked = Pick<Question, 'action' | 'resource' | 'rows' | 'start'> & { args: NonNullable<Question['args']> }

/**
 * The arguments of an action as the flags give them. What is missing is asked for on a terminal. Where the action takes only what
 * is to change, exactly the flags are taken, whatever the values are now. Errors: `usage` for a missing flag; `invalid` with problems.
 */
export async function argumentsOf(
  cli: Cli,
  { action, args, resource, rows, start }: Asked,
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
      throw new AppError('usage', {
        reason: 'missingFlag',
        flag: missing.map((field) => flagName(field, args.fields[field]?.kind)).join(', '),
      })
    // What is read with a phone comes before the question that it answers.
    for (const line of shown) cli.note(line)
    shown = []
    for (const field of missing) {
      const text = await cli.askText(`${cli.translator.say(fieldKey(args, field))}:`)
      if (text === null || text === '') throw new AppError('cancelled')
      texts.set(field, text)
    }
  }
}

function parsed({ fields }: Asked['args'], texts: ReadonlyMap<string, string>, view: View): Values {
  const problems: Problem[] = []
  const values = [...texts].flatMap(([field, text]) => {
    const read = parseInput(fields[field]!, text, { fieldName: field, view })
    if (read.ok) return [[field, read.value] as const]
    problems.push(read.problem)
    return []
  })
  if (problems.length > 0) throw new AppError('invalid', {}, { problems })
  return Object.fromEntries(values)
}
