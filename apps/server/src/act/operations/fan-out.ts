import { argumentsOf } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { checkInput, typedCommand } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import type { Caller } from '../../kernel/caller.ts'
import { jsonOf } from '../../kernel/json.ts'
import { texts } from '../../kernel/texts.ts'
import type { Note } from '../../store/records/audit.ts'
import { invalid, readIds, readObject } from '../../store/records/input.ts'
import { ownServer, seesAllServers } from '../../store/records/rights.ts'
import type { Records, ServerRow } from '../../store/records/rows.ts'
import { answerWithinMs } from '../runs/evidence.ts'
import type { Ledger } from '../runs/ledger.ts'

interface TaskResponse {
  success?: readonly number[]
  offline?: readonly number[]
  run_id?: number
}

type Perform = (caller: Caller, body: unknown, note?: Note) => Promise<unknown>
type Body = Readonly<Record<string, unknown>>

const maxNameLength = 128

export function createFanOuts({ servers, runs }: { servers: Records<ServerRow>; runs: Ledger }): {
  exec: Perform
  config: Perform
  'force-update': Perform
} {
  const isMine = ({ viewer }: Caller, id: number) => ownServer(servers, viewer, id) !== undefined
  const orderOf = ({ viewer }: Caller, ids: readonly number[]) => ({
    ownerId: viewer.id as number,
    by: viewer.username,
    targets: { mode: 'only', servers: ids } as const,
  })

  return {
    /** `{servers, command, time_limit}`. Another user's server counts as unknown. */
    async exec(caller, body, note) {
      const { servers: named, ...args } = readObject(body)
      const ids = unique(readIds(named))
      const { command, time_limit } = checkArguments('exec', args) as { command: string; time_limit: number }
      const bad = ids.filter((id) => !isMine(caller, id))
      const problems = [{ field: 'servers', code: 'unknownReference', params: { ids: bad } }] as const
      if (bad.length > 0) throw new AppError('invalid', { text: texts.permission }, { problems })
      if (ids.length === 0) throw invalid([{ field: 'servers', code: 'required' }], {}, {})
      const name = (typedCommand(command) ?? command).replace(/\n.*/s, '').slice(0, maxNameLength)
      const deadlineMs = time_limit * 1000 + answerWithinMs
      const order = { ...orderOf(caller, ids), kind: 'exec', name, command, deadlineMs } as const
      return toResponse(ids, await runs.start(order, (db) => note?.(db)))
    },

    /** `{servers, config}`. Unknown IDs are dropped for administrators; for others, one foreign or unknown ID refuses the call (S-34). */
    async config(caller, body, note) {
      const { servers: named, config = '{}' } = readObject(body)
      const ids = unique(readIds(named))
      const mine = ids.filter((id) => isMine(caller, id))
      if (mine.length < ids.length && !seesAllServers(caller.viewer)) throw new AppError('forbidden')
      const command = checkConfig(config)
      if (mine.length === 0) return {}
      const order = { ...orderOf(caller, mine), kind: 'config', name: 'config', command } as const
      return toResponse(mine, await runs.start(order, (db) => note?.(db)))
    },

    /** A list of IDs, or `{servers, canary, batch, max_failures}` for a rollout. Unknown and foreign IDs count as offline (S-34). */
    async 'force-update'(caller, body, note) {
      const isRollout = typeof body === 'object' && body !== null && !Array.isArray(body)
      const { servers: named, ...args } = isRollout ? readObject(body) : { servers: body }
      if (isRollout && named === undefined) throw invalid([{ field: 'servers', code: 'required' }], {}, {})
      const ids = readIds(named)
      const rollout = isRollout ? (checkArguments('force-update', args) as never) : null
      const mine = unique(ids).filter((id) => isMine(caller, id))
      if (mine.length === 0) return toResponse(ids, { runId: null, sent: [], offline: ids })
      const order = { ...orderOf(caller, mine), kind: 'update', name: 'force-update', command: '', rollout } as const
      const { runId, sent, offline } = await runs.start(order, (db) => note?.(db))
      return toResponse(ids, { runId, sent, offline: [...offline, ...ids.filter((id) => !mine.includes(id))] })
    },
  }
}

/** Sorts the IDs into buckets, in their order and with repeats. A rollout's waiting servers are in none. */
function toResponse(
  ids: readonly number[],
  { runId, sent, offline }: { runId: number | null; sent: readonly number[]; offline: readonly number[] },
): TaskResponse {
  const bucket = (name: 'success' | 'offline', of: ReadonlySet<number>) => {
    const named = ids.filter((id) => of.has(id))
    return named.length > 0 ? { [name]: named } : {}
  }
  return {
    ...bucket('success', new Set(sent)),
    ...bucket('offline', new Set(offline)),
    ...(runId !== null && { run_id: runId }),
  }
}

function checkArguments(action: 'exec' | 'force-update', values: Body): Body {
  const checked = checkInput(argumentsOf(server, action).input, values)
  if (!checked.ok) throw invalid(checked.problems, {}, values)
  return checked.input
}

const unique = (ids: readonly number[]) => [...new Set(ids)]

const { input } = argumentsOf(server, 'config')

/** Validates a partial agent configuration: keys of the form as in spec section 5 (null clears a list), others unchecked. Errors: `invalid`. */
function checkConfig(text: unknown): string {
  if (typeof text !== 'string') throw invalid([{ field: 'config', code: 'notText' }], {}, {})
  const config = parseObject(text)
  if (Object.keys(config).some((key) => key.toLowerCase() === 'client_secret')) {
    const problems: readonly Problem[] = [{ field: 'client_secret', code: 'wrong' }]
    throw new AppError('invalid', { text: texts.secretRotation }, { problems })
  }
  const known = Object.entries(config).filter(([key, value]) => key in input.shape && value !== null)
  const checked = checkInput(input, Object.fromEntries(known.map(([key, value]) => [key, toForm(key, value)])))
  if (!checked.ok) throw invalid(checked.problems, {}, config)
  return text
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const value = jsonOf(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalid([{ field: 'config', code: 'notJson' }], {}, {})
}

/** The form has a list of interfaces, the agent a map from name to whether it counts. */
function toForm(key: string, value: unknown): unknown {
  if (key !== 'nic_allowlist') return value
  const isMap = typeof value === 'object' && !Array.isArray(value)
  if (!isMap || !Object.values(value as object).every((counts) => typeof counts === 'boolean')) return ''
  return Object.keys(value as object)
}
