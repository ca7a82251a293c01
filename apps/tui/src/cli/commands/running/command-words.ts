import { flagName } from '@qd/core/actions'
import type { Action } from '@qd/core/define'
import { AppError, firstItem, toAppError, usageError } from '@qd/core/errors'
import { run as runResource } from '@qd/core/resources'
import { parseDurationMs } from '../../../base/connect/duration.ts'
import type { Cli, FlagValues } from '../command.ts'
import { parseFields } from '../flags/flags.ts'
import { quoted } from '../pick.ts'
import type { WaitLimits } from './wait.ts'

/** Names before `--` and the command after it. One word is shell text, several are quoted. Errors: `usage` for a command from stdin. */
export function commandTail(
  { args }: Cli,
  { words, tail }: { words: readonly string[]; tail: string | null },
): { words: readonly string[]; rest: string | null } {
  const at = args.indexOf('--')
  if (tail === null || at < 0) return { words, rest: null }
  const after = args.slice(at + 1)
  if (after.length === 0) return { words, rest: null }
  if (after.length === 1 && after[0] === '-') throw usageError('noStdin')
  const rest = after.length === 1 ? firstItem(after) : after.map(quoted).join(' ')
  return { words: words.slice(0, words.length - after.length), rest }
}

export const lineWithCommand = (line: string, command: readonly string[]): string =>
  `${line} -- ${command.length === 0 ? 'COMMAND' : command.map(quoted).join(' ')}`

export function lineWithFlag(args: readonly string[], flag: string): string {
  const at = args.indexOf('--')
  const words = args.map(quoted)
  return ['qd', ...words.toSpliced(at < 0 ? words.length : at, 0, flag)].join(' ')
}

/** Suggests `--` if a word names no record and the command is missing: `exec web-1 uptime`. Other errors stay. */
export function withCommandApart(
  thrown: unknown,
  { line, words }: { line: string; words: readonly string[] },
): unknown {
  const { code, params } = toAppError(thrown)
  if (code !== 'notFound' || words.length < 2) return thrown
  const at = words.indexOf(String(params.name))
  const near = typeof params.try === 'string' && params.try.startsWith(`${line} `) ? params.try : null
  const begun = at === 0 && near ? near : [line, ...words.slice(0, Math.max(1, at)).map(quoted)].join(' ')
  return new AppError(code, { ...params, try: lineWithCommand(begun, words.slice(Math.max(1, at))) })
}

/** Extra wait for the answer after a command's time limit. */
const answerMs = 30_000

/** A longer wait extends a command's time limit, and the default wait is the limit. Errors: `usage`. */
export function alignLimits(
  { args }: Action,
  { texts, flags, limits }: { texts: Map<string, string>; flags: FlagValues; limits: WaitLimits },
): WaitLimits {
  const field = Object.entries(args?.fields ?? {}).find(([, { kind }]) => kind === 'duration')?.[0]
  if (field === undefined) return limits
  const usual = Number(args!.initial[field])
  const given = texts.get(field)
  if (flags.timeout === undefined) {
    const ms = given === undefined ? usual * 1000 : parseDurationMs(given, flagName(field))
    return { ...limits, timeoutMs: ms + answerMs }
  }
  if (given === undefined) texts.set(field, String(Math.max(usual, Math.ceil(limits.timeoutMs / 1000))))
  return limits
}

/** `qd cron run --json nightly`: the name after a bare `--json` is no list of fields. */
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
