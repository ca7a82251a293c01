import { flagName } from '@qd/core/actions'
import type { Action } from '@qd/core/define'
import { run as runResource } from '@qd/core/resources'
import { parseFields } from '@qd/core/view'
import { parseDurationMs } from '../../../base/connect/duration.ts'
import type { FlagValues } from '../command.ts'
import type { WaitLimits } from './wait.ts'

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
