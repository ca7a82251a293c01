import { parseArgs } from 'node:util'

/** What the operator decides. */
export interface Settings {
  /** `HOST:PORT`. */
  server: string
  secret: string
  uuid: string
  tls: boolean
  /** Accept any certificate. */
  insecureTls: boolean
  reportDelayMs: number
  /** How often the machine's addresses are looked up again. */
  addressPeriodMs: number
  /** Web pages that tell the caller its address; without any, only the machine's own interfaces are asked. */
  addressUrls: string[]
  allowCommands: boolean
}

/** The files and texts that settings come from. */
export interface SettingsSource {
  args: string[]
  env: Record<string, string | undefined>
  /** undefined when the file does not exist. Errors: rejects when it cannot be read. */
  readFile(path: string): Promise<string | undefined>
  /** Creates the folders on the way; only the owner may read the file. */
  writeFile(path: string, text: string): Promise<void>
  newUuid(): string
}

/** A mistake of the operator; the message is one sentence for stderr, the program ends with code 2. */
export class UsageError extends Error {}

/** What `--help` prints. */
export const usage = `Usage: node apps/agent/dist/main.js --server HOST:PORT --secret S [--uuid U] [--tls] [--config FILE]

  --server HOST:PORT  where the server listens            NZ_SERVER
  --secret S          the agent secret of a user          NZ_CLIENT_SECRET
  --uuid U            identity; made and kept if absent   NZ_UUID
  --tls               the server's port is TLS            NZ_TLS
  --config FILE       JSON file of settings and identity  (data/agent.json in QD_DATA or the current folder)
  --version, --help

A flag beats the environment, the environment beats the file. The file, and the environment in capitals after NZ_, know
besides server, client_secret, uuid and tls: insecure_tls, report_delay (1 to 4 seconds), ip_report_period (seconds),
custom_ip_api (a list) and disable_command_execute.`

type Value = string | boolean | number | string[]

const parseFlags = (args: string[]) => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({ args, options: { server: text, secret: text, uuid: text, config: text, tls: flag } }).values
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}

const parseFile = (path: string, text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {}
  throw new UsageError(`${path} is not a JSON object; correct it or name another file with --config`)
}

const toFlag = (name: string, value: Value | undefined): boolean => {
  if (value === undefined || value === '') return false
  if (typeof value === 'boolean') return value
  if (/^(1|t|true)$/i.test(String(value))) return true
  if (/^(0|f|false)$/i.test(String(value))) return false
  throw new UsageError(`${name} must be true or false, not "${value}"`)
}

const toSeconds = (
  name: string,
  value: Value | undefined,
  { least, most, fallback }: Record<string, number>,
): number => {
  if (value === undefined || Number(value) === 0) return fallback!
  const seconds = Number(value)
  if (Number.isInteger(seconds) && seconds >= least! && seconds <= most!) return seconds
  throw new UsageError(`${name} must be a whole number of seconds from ${least} to ${most}, not "${value}"`)
}

const checkServer = (server: string): string => {
  const port = Number(/^(?:\[[^\]]+\]|[^:\s]+):(\d{1,5})$/.exec(server)?.[1])
  if (port > 0 && port < 65536) return server
  throw new UsageError(server ? `--server needs HOST:PORT, not "${server}"` : '--server HOST:PORT is missing')
}

const checkSecret = (secret: string): string => {
  if (/^[\x21-\x7e]+$/.test(secret)) return secret
  throw new UsageError(secret ? '--secret may hold only letters, digits and signs' : '--secret is missing')
}

const checkUuid = (uuid: string): string => {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid)) return uuid
  throw new UsageError(`--uuid needs 36 characters like 3b0f6a52-91c4-7d08-0e2f-5a6b7c8d9e0f, not "${uuid}"`)
}

/** Reads flags, environment and file, in this order of weight; makes and keeps a uuid if none is given. Errors: `UsageError`. */
export const loadSettings = async ({ args, env, readFile, writeFile, newUuid }: SettingsSource): Promise<Settings> => {
  const flags = parseFlags(args)
  const path = flags.config ?? `${env.QD_DATA || 'data'}/agent.json`
  const text = await readFile(path).catch((error) => {
    throw new UsageError(`cannot read ${path}: ${error.message}`)
  })
  const file = text === undefined ? {} : parseFile(path, text)
  const value = (key: string, flag?: string | boolean): Value | undefined =>
    flag ?? (env[`NZ_${key.toUpperCase()}`] || (file[key] as Value | undefined))

  const server = checkServer(String(value('server', flags.server) ?? ''))
  const secret = checkSecret(String(value('client_secret', flags.secret) ?? '').trim())
  const known = value('uuid', flags.uuid)
  const uuid = checkUuid(String(known || newUuid()))
  if (!known)
    await writeFile(path, `${JSON.stringify({ ...file, uuid }, null, 2)}\n`).catch((error) => {
      throw new UsageError(`cannot keep this agent's identity in ${path}: ${error.message}; give --config or --uuid`)
    })
  return {
    server,
    secret,
    uuid,
    tls: toFlag('tls', value('tls', flags.tls)),
    insecureTls: toFlag('insecure_tls', value('insecure_tls')),
    // The existing agents' default of 3 s would leave the console unchanged for more than its 2 s.
    reportDelayMs: 1000 * toSeconds('report_delay', value('report_delay'), { least: 1, most: 4, fallback: 1 }),
    addressPeriodMs:
      1000 * toSeconds('ip_report_period', value('ip_report_period'), { least: 30, most: 86_400, fallback: 1800 }),
    addressUrls: [value('custom_ip_api') ?? []].flat().map(String),
    allowCommands: !toFlag('disable_command_execute', value('disable_command_execute')),
  }
}
