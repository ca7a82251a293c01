import * as z from 'zod'
import { type AnyRow, type ArgumentsDefinition, defineAction, lazy } from '../define/index.ts'
import { AppError, firstItem, parseJson } from '../errors.ts'
import { sentAs } from '../schemas/index.ts'

/** Blocks everything but probes on a server whose agent is watch-only. */
export const watchOnly = { when: { watch_only: { is: true } }, reason: 'watchOnly' } as const

const nicRule = z
  .string()
  .max(256)
  .regex(/^[^\s=]+(=no)?$/)

const maxNames = 1000

/** Source: spec section 5, contract http-api 4.16. */
export const agentConfigInput = lazy(() =>
  z
    .strictObject({
      report_delay: z.int().min(1).max(4),
      ip_report_period: z
        .int()
        .min(30)
        .max(86_400 * 30),
      hard_drive_partition_allowlist: z.array(z.string().min(1).max(4096)).max(maxNames),
      nic_allowlist: z.array(nicRule).max(maxNames),
      gpu: z.boolean(),
      temperature: z.boolean(),
      skip_connection_count: z.boolean(),
      skip_procs_count: z.boolean(),
      debug: z.boolean(),
      disable_auto_update: z.boolean(),
      disable_force_update: z.boolean(),
      disable_command_execute: z.boolean(),
      disable_nat: z.boolean(),
      disable_send_query: z.boolean(),
    })
    .partial(),
)
type AgentConfig = z.output<ReturnType<typeof agentConfigInput>>

const flag = { kind: 'flag' } as const

const args: ArgumentsDefinition<ReturnType<typeof agentConfigInput>> = {
  input: agentConfigInput,
  sends: 'changed',
  initial: {
    report_delay: 3,
    ip_report_period: 1800,
    gpu: false,
    temperature: false,
    skip_connection_count: false,
    skip_procs_count: false,
    debug: false,
    disable_auto_update: false,
    disable_nat: false,
    disable_send_query: false,
  },
  fields: {
    report_delay: { kind: 'duration', help: true },
    ip_report_period: { kind: 'duration', help: true },
    hard_drive_partition_allowlist: { kind: 'list', wide: true, help: true },
    nic_allowlist: { kind: 'list', wide: true, map: true, help: true },
    gpu: flag,
    temperature: flag,
    skip_connection_count: flag,
    skip_procs_count: flag,
    debug: flag,
    disable_auto_update: flag,
    disable_force_update: { kind: 'flag', help: true },
    disable_command_execute: { kind: 'flag', help: true },
    disable_nat: flag,
    disable_send_query: flag,
  },
  form: {
    reports: ['report_delay', 'ip_report_period'],
    figures: [
      'hard_drive_partition_allowlist',
      'nic_allowlist',
      'gpu',
      'temperature',
      'skip_connection_count',
      'skip_procs_count',
    ],
    refuses: [
      'disable_command_execute',
      'disable_force_update',
      'disable_auto_update',
      'disable_nat',
      'disable_send_query',
      'debug',
    ],
  },
  /** Loads one server’s configuration. Several may differ, so nothing is loaded and only changes are sent. */
  async load({ api }, rows) {
    if (rows.length !== 1) return {}
    const text = await api.send({ method: 'GET', path: `server/config/${firstItem(rows).id}` })
    if (typeof text !== 'string' || text === '')
      throw new AppError('agentOffline', { name: String(firstItem(rows).name ?? '') })
    return decodeAgentConfig(text)
  },
}

/** Ignores keys of a wrong type. Errors: `badAnswer`. */
export function decodeAgentConfig(text: string): AgentConfig {
  const parsed = z.record(z.string(), z.unknown()).safeParse(parseJson(text))
  if (!parsed.success) throw new AppError('badAnswer', { reason: 'agent configuration' })
  const nics = z.record(z.string(), z.boolean()).nullish().catch(null).parse(parsed.data.nic_allowlist) ?? {}
  const known = {
    ...parsed.data,
    hard_drive_partition_allowlist: parsed.data.hard_drive_partition_allowlist ?? [],
    nic_allowlist: Object.entries(nics).map(([name, counted]) => (counted ? name : `${name}=no`)),
  }
  const readable = Object.entries(agentConfigInput().shape).flatMap(([key, schema]) => {
    const value = schema.safeParse(known[key as keyof typeof known])
    return value.success && value.data !== undefined ? [[key, value.data]] : []
  })
  return Object.fromEntries(readable)
}

export function encodeAgentConfig({ nic_allowlist, ...rest }: AgentConfig): string {
  const nics = nic_allowlist?.map((rule) => [rule.replace(/=no$/, ''), !rule.endsWith('=no')])
  return JSON.stringify({ ...rest, ...(nics ? { nic_allowlist: Object.fromEntries(nics) } : {}) })
}

export const config = defineAction<AnyRow>()({
  on: 'many',
  scope: 'nezha:server:write',
  icon: 'sliders-horizontal',
  aliases: ['configure', 'agent settings'],
  confirm: 'targets',
  starts: 'run',
  blocked: [watchOnly],
  args,
  targets: (rows) => ({ mode: 'only', servers: rows.map((row) => row.id) }),
  wire: {
    method: 'POST',
    path: 'server/config',
    body: (rows, values) => ({ servers: rows.map((row) => row.id), config: encodeAgentConfig(values as AgentConfig) }),
  },
  outcome: sentAs,
})
