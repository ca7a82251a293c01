import { actionState, runAction, sayText } from '../actions/index.ts'
import { type AnyRow, actionOf } from '../define/index.ts'
import { AppError, type Problem } from '../errors.ts'
import { server } from '../resources/index.ts'
import { longestWait } from './action-tools.ts'
import { recordOf } from './choosing.ts'
import { fileTools } from './file-tools.ts'
import { waitedRun } from './runs.ts'
import { type Json, objectOf, type Tool, type ToolCaller } from './tool.ts'

const quote = (word: unknown) => `'${String(word).replaceAll("'", `'\\''`)}'`

/**
 * Builds a POSIX shell’s command line, because agents take a single line; a Windows host supports only the command. Errors: `invalid`.
 */
function commandLine(row: AnyRow, { cmd, args, cwd, env, stdin }: Json): string {
  const words = (args as readonly unknown[] | undefined) ?? []
  const named = Object.entries((env as Json | undefined) ?? {})
  const problems: Problem[] = named
    .filter(([name]) => !/^[A-Za-z_]\w*$/.test(name))
    .map(() => ({ field: 'env', code: 'wrong' }))
  const isWindows = /windows/i.test(String((server.read.parse(row).host as Json).platform ?? ''))
  if (isWindows)
    for (const [field, value] of Object.entries({ args, cwd, env, stdin }))
      if (value !== undefined) problems.push({ field, code: 'wrong' })
  if (problems.length > 0) throw new AppError('invalid', {}, { problems })
  // With arguments the command is a program’s name, else a shell command.
  const line = words.length > 0 ? [cmd, ...words].map(quote).join(' ') : String(cmd)
  const set = named.map(([name, value]) => `export ${name}=${quote(value)}; `).join('')
  const at = cwd ? `cd ${quote(cwd)} || exit 1; ` : ''
  const inner = `${at}${set}${line}`
  return stdin === undefined ? inner : `printf %s ${quote(stdin)} | (${inner})`
}

/** A server with a report this recent is online (contract http-api 3.22). */
const onlineMs = 30_000

const text = { type: 'string' } as const
const whole = { type: 'integer' } as const
const time = { type: 'string', format: 'date-time' } as const
const anything = { type: 'object' } as const
const reading = { audience: 'user', isReading: true, isFinal: false } as const

const known = (values: Json): Json => Object.fromEntries(Object.entries(values).filter(([, value]) => Boolean(value)))

const whoami: Tool = {
  ...{ name: 'meta.whoami', description: 'The caller: user, API token, scopes, and servers.', scope: null },
  ...reading,
  inputSchema: objectOf({}),
  outputSchema: objectOf(
    {
      user_id: whole,
      is_admin: { type: 'boolean' },
      token_id: whole,
      token_name: text,
      scopes: { type: 'array', items: text },
      server_ids: { type: 'array', items: whole },
    },
    ['user_id', 'is_admin', 'token_id', 'scopes'],
  ),
  call: async ({ viewer, token }) => ({
    user_id: viewer.id ?? 0,
    is_admin: viewer.role === 0,
    token_id: token?.id ?? 0,
    token_name: token?.name ?? '',
    scopes: viewer.scopes ?? ['nezha:*'],
    ...(viewer.servers && { server_ids: viewer.servers }),
  }),
}

const list: Tool = {
  ...{ name: 'server.list', description: 'The servers in brief. For details or a query, use server.ls.' },
  ...{ scope: 'nezha:inventory:read', ...reading },
  inputSchema: objectOf({ online_only: { type: 'boolean', description: 'omit servers that are not connected' } }),
  outputSchema: objectOf(
    {
      count: whole,
      servers: {
        type: 'array',
        items: objectOf(
          {
            ...{ id: whole, name: text, uuid: text, online: { type: 'boolean' } },
            ...{ ipv4: text, ipv6: text, platform: text, arch: text, last_active: time },
          },
          ['id', 'name', 'online'],
        ),
      },
    },
    ['servers', 'count'],
  ),
  async call(caller, { online_only: onlineOnly = false }) {
    const rows = await caller.records.list(server)
    const servers = rows.map((row) => briefOf(row, caller.now())).filter(({ online }) => !onlineOnly || online)
    return { servers, count: servers.length }
  },
}

function briefOf(row: AnyRow, now: number): { readonly online: boolean } & Json {
  const { host, geoip, last_active: at, name, uuid } = server.read.parse(row)
  const { ipv4_addr, ipv6_addr } = (geoip as { ip?: Json } | null)?.ip ?? {}
  const online = at !== null && now - Date.parse(String(at)) < onlineMs
  const { platform, arch } = host as Json
  return {
    ...{ id: row.id, name },
    ...known({ uuid, ipv4: ipv4_addr, ipv6: ipv6_addr }),
    online,
    ...known({ platform, arch, last_active: at }),
  }
}

const get: Tool = {
  ...{ name: 'server.get', description: 'One server: its facts and latest metrics.', scope: 'nezha:server:read' },
  ...reading,
  inputSchema: objectOf({ server_id: { ...whole, description: 'from server.list' } }, ['server_id']),
  outputSchema: objectOf(
    {
      ...{ id: whole, name: text, uuid: text, note: text, public_note: text },
      ...{ host: anything, state: anything, geoip: anything, last_active: time },
    },
    ['id'],
  ),
  async call(caller, { server_id: id }) {
    const { name, uuid, note, public_note, host, state, geoip, last_active } = await recordOf(caller, server, id)
    return { id, ...known({ name, uuid, note, public_note, host, state, geoip, last_active }) }
  },
}

/** Default maximum of an output, in bytes. */
const usualOutput = 65_536

const exec: Tool = {
  ...{
    name: 'server.exec',
    description:
      'Runs a command on one server immediately and waits for it. For several servers, or a preview, use exec.',
  },
  ...{ scope: 'nezha:server:exec', audience: 'user', isReading: false, isFinal: true },
  inputSchema: objectOf(
    {
      ...{ server_id: whole, cmd: text, args: { type: 'array', items: text }, cwd: text, env: anything, stdin: text },
      max_output_bytes: whole,
      timeout_seconds: { type: 'integer', minimum: 1, maximum: longestWait },
    },
    ['server_id', 'cmd'],
  ),
  outputSchema: objectOf(
    {
      ...{ exit_code: whole, stdout: text, stderr: text, duration_ms: whole },
      ...{
        stdout_truncated: { type: 'boolean' },
        stderr_truncated: { type: 'boolean' },
        timed_out: { type: 'boolean' },
      },
    },
    ['exit_code', 'stdout', 'stderr', 'duration_ms'],
  ),
  call: execute,
}

async function execute(caller: ToolCaller, given: Json): Promise<Json> {
  const { viewer, records, client, supports, translator } = caller
  const row = await recordOf(caller, server, given.server_id)
  const action = actionOf(server, 'exec')
  const reason = await records.read((view) => actionState(action, [row], { viewer, view, supports }).reason)
  if (reason) throw new AppError('blocked', { text: sayText(translator, reason) })
  const limit = Number(given.timeout_seconds ?? 30)
  const values = { command: commandLine(row, given), time_limit: limit }
  const context = { api: client, viewer, view: records.view() }
  const report = await runAction({ action, rows: [row], context, supports, ask: async () => values })
  if (report.kind === 'failed') throw report.error
  const run = report.kind === 'ok' && report.outcome.kind === 'sent' ? report.outcome.run : null
  if (run === null) throw new AppError('failed')
  // The server gives the agent a few seconds more than the command.
  const { parts } = await waitedRun(caller, run, limit + 10)
  const part = parts[0]
  if (!part || part.state === 'no_answer' || part.state === 'sent') throw new AppError('timeout', { seconds: limit })
  const most = Number(given.max_output_bytes ?? usualOutput)
  const stdout = cut(part.output, most)
  return {
    ...{ exit_code: part.exit_code ?? (part.state === 'success' ? 0 : -1), stdout, stderr: '' },
    duration_ms: Math.round(part.duration_ms ?? 0),
    ...((part.cut_bytes > 0 || stdout.length < part.output.length) && { stdout_truncated: true }),
    ...(part.state === 'running' && { timed_out: true }),
  }
}

/** Truncates to bytes, keeping whole characters. */
function cut(output: string, most: number): string {
  const bytes = new TextEncoder().encode(output)
  return bytes.length <= most
    ? output
    : new TextDecoder().decode(bytes.subarray(0, Math.max(0, most))).replace(/\uFFFD+$/, '')
}

/** Names and schemas: contract http-api 3.22. */
export const contractTools: readonly Tool[] = [exec, whoami, list, get, ...fileTools]
