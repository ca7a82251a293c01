import { againWith, unchosenText } from '@qd/core/actions'
import { allNamed, type IfEmpty, pipedWords, type Records, selected, typedWords } from '@qd/core/api'
import { type Action, type AnyRow, type Resource, textKey } from '@qd/core/define'
import { AppError, toAppError, usageError } from '@qd/core/errors'
import { nounOf } from '@qd/core/i18n'
import { tokens } from '@qd/core/targets'
import { type Cli, type FlagValues, textFlag } from './command.ts'

interface Among {
  resource: Resource
  records: Records
}

/** By words, `--select`, `--ids` or `--all`; an unknown word with an operator (`cpu>90`) is a query. Errors: `usage`, `notFound`. */
export async function pickMany(
  from: Among & {
    cli: Cli
    words: readonly string[]
    flags: FlagValues
    command: string
    action?: Action | null
  },
): Promise<readonly AnyRow[]> {
  const { cli, resource, records, words, flags, command, action = null } = from
  const selection = textFlag(flags, 'select')
  const ids = textFlag(flags, 'ids')
  const ways = [words.length > 0, selection !== undefined, ids !== undefined, flags.all === true].filter(Boolean).length
  if (ways === 0) throw nothingChosen(action)
  if (ways > 1) throw usageError('chosenTwice', { try: `${command} --help` })
  if (flags.all) {
    const rows = await records.list(resource)
    if (rows.length > 0) return rows
    const noun = nounOf(cli.say(textKey.many(resource.name)), cli.language)
    throw new AppError('notFound', { reason: 'noRecords', records: noun })
  }
  if (selection !== undefined)
    return someOf(resource, await selected({ resource, records, text: selection, empty: 'all' }), selection)
  if (ids !== undefined) return namedRows({ cli, resource, records, text: ids, command, empty: 'all' })
  const [first = ''] = words
  return allNamed(resource, records, words, againWith(command)).catch((thrown: unknown) => {
    const isSelection = words.length === 1 && tokens(first).some(({ kind }) => kind === 'operator')
    if (!isSelection || toAppError(thrown).code !== 'notFound') throw thrown
    return selected({ resource, records, text: first, empty: 'all' }).then((rows) => someOf(resource, rows, first))
  })
}

function nothingChosen(action: Action | null): AppError {
  return action && action.unchosen !== null
    ? new AppError('usage', { says: unchosenText(action), hint: 'choose' })
    : usageError('missingArgument', { name: 'name', hint: 'choose' })
}

/** Records by ids and names, `-` for stdin; without duplicates. Errors: `usage`, `notFound`, `ambiguous`. */
export async function namedRows(
  from: Among & { cli: Cli; text: string; empty: IfEmpty; command?: string },
): Promise<readonly AnyRow[]> {
  const { cli, resource, records, text, empty, command = `qd ${resource.name} ls` } = from
  const words = text === '-' ? pipedWords(resource, await cli.io.stdin.readAll()) : typedWords(text)
  if (words.length === 0) throw usageError('emptySelection', { flag: '--ids', hint: empty })
  return allNamed(resource, records, words, againWith(command))
}

function someOf(resource: Resource, rows: readonly AnyRow[], name: string): readonly AnyRow[] {
  if (rows.length === 0) throw new AppError('notFound', { name, try: `qd ${resource.name} ls` })
  return rows
}
