import { type FormShape, fieldKey, type Values, type View } from '@qd/core/define'
import { machineValue, plainLines } from '@qd/core/fields'
import { presentCell } from '@qd/core/view'
import { renderTable, type TableColumn } from '../../../base/output/table.ts'
import type { Cli } from '../cli.ts'
import type { FlagValues } from '../command.ts'
import { pickFields, resultFields } from '../flags/output-flags.ts'

const column: TableColumn = { head: '', align: 'left', keep: true }

/** Writes values of a form that were read, without changing them; for programs by the names of the wire. Returns the exit code. Errors: `usage`. */
export function printArguments(
  cli: Cli,
  { args, values, flags, view }: { args: FormShape; values: Values; flags: FlagValues; view: View },
): number {
  const names = args.form.flatMap(({ fields }) => fields.map(({ field }) => field))
  const wanted = resultFields(flags, names)
  const machine = Object.fromEntries(names.map((name) => [name, machineValue(args.fields[name]!, values[name])]))
  if (wanted) {
    cli.json(pickFields(machine, wanted))
    return 0
  }
  const { translator, format, io } = cli
  const rows = names.map((name) => {
    const surface = { translator, format, view, viewer: { id: 0, username: '', role: 0, scopes: null } }
    const { text, full = text } = presentCell(surface, {
      resource: args,
      row: { id: 0 },
      field: name,
      value: values[name],
    })
    const line = io.stdout.isTTY
      ? [translator.say(fieldKey(args, name)), plainLines(full)]
      : [name, JSON.stringify(machine[name])]
    return line.map((part, at) => ({ text: part, tone: at === 0 ? ('muted' as const) : ('plain' as const) }))
  })
  for (const line of renderTable({ columns: [column, column], rows, width: null, header: false, style: cli.out }))
    cli.print(line)
  return 0
}
