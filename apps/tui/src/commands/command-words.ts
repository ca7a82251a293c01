import type { Action } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { run as runResource } from '@qd/core/resources'
import type { Cli } from './cli.ts'
import type { FlagValues } from './command.ts'
import { parseFields } from './output-flags.ts'
import { quoted } from './pick.ts'

/**
 * The names before `--` and the command after it. One word is taken as the shell text it is, several as the words they are.
 * Errors: `usage` for a command from stdin, which hosts cannot be given twice.
 */
export function commandTail(
  { io }: Cli,
  { words, tail }: { words: readonly string[]; tail: string | null },
): { words: readonly string[]; rest: string | null } {
  const at = io.args.indexOf('--')
  if (tail === null || at < 0) return { words, rest: null }
  const after = io.args.slice(at + 1)
  if (after.length === 0) return { words, rest: null }
  if (after.length === 1 && after[0] === '-') throw new AppError('usage', { reason: 'noStdin' })
  const rest = after.length === 1 ? after[0]! : after.map(quoted).join(' ')
  return { words: words.slice(0, words.length - after.length), rest }
}

/** `qd cron run --json nightly`: the name after a bare `--json` is not a list of fields. */
export function unswallow(
  action: Action,
  words: readonly string[],
  flags: FlagValues,
): { names: readonly string[]; flags: FlagValues } {
  const { json } = flags
  if (action.on === 'none' || words.length > 0 || typeof json !== 'string' || isFieldList(json))
    return { names: words, flags }
  return { names: [json], flags: { ...flags, json: true } }
}

function isFieldList(text: string): boolean {
  try {
    return parseFields(runResource, text).length > 0
  } catch {
    return false
  }
}
