import { parseArgs } from 'node:util'
import {
  type AgentConfig,
  type ConfigValue,
  defaultConfig,
  fillConfig,
  findFault,
  mapConfig,
  toConfigJson,
} from './config/agent-config.ts'

/** The current configuration, and the file that stores it. */
export interface Settings {
  readonly current: AgentConfig
  /** Writes a configuration to the file, then uses it. Errors: rejects and changes nothing if the file cannot be written. */
  save(next: AgentConfig): Promise<void>
}

/** The files and texts that settings come from. */
export interface SettingsSource {
  args: string[]
  env: Record<string, string | undefined>
  /** undefined when the file does not exist. Errors: rejects when it cannot be read. */
  readFile(path: string): Promise<string | undefined>
  /** Replaces the file in one step and creates the folders on the way; only the owner may read it. */
  writeFile(path: string, text: string): Promise<void>
  newUuid(): string
}

/** A mistake of the operator. The message is one sentence for stderr; the program ends with code 2. */
export class UsageError extends Error {}

/** What `--help` prints. */
export const usage = `Usage: node apps/agent/dist/main.js --server HOST:PORT --secret S [--uuid U] [--tls] [--config FILE]

  --server HOST:PORT  where the server listens            NZ_SERVER
  --secret S          the agent secret of a user          NZ_CLIENT_SECRET
  --uuid U            identity; made and kept if absent   NZ_UUID
  --tls               the server's port is TLS            NZ_TLS
  --config FILE       JSON file of settings and identity  (data/agent.json in QD_DATA or the current folder)
  --supervise         start the agent again when it ends, and after an update from the server
  --version, --help

A flag beats the environment, the environment beats the file. The file, and the environment in capitals after NZ_, know:
${Object.keys(defaultConfig)
  .join(', ')
  .replace(/(.{90,116}) /g, '$1\n')}.`

const parseFlags = (args: string[]) => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = { server: text, secret: text, uuid: text, config: text, tls: flag, supervise: flag }
  try {
    return parseArgs({ args, options }).values
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

/** A value as the operator wrote it: flags and numbers may be text, and a list of one may be a single text. */
const readValue = (key: string, old: ConfigValue, value: unknown): ConfigValue => {
  if (Array.isArray(old)) return [value].flat().map(String)
  if (typeof old === 'string') return String(value).trim()
  if (typeof old === 'object') {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isMap) return Object.fromEntries(Object.entries(value).map(([name, flag]) => [name, flag === true]))
    throw new UsageError(`${key} must be an object of names and true or false`)
  }
  if (typeof old === 'number') {
    if (Number.isInteger(Number(value)) && Number(value) >= 0) return Number(value)
    throw new UsageError(`${key} must be a whole number, not "${value}"`)
  }
  if (/^(1|t|true)$/i.test(String(value))) return true
  if (/^(0|f|false)$/i.test(String(value))) return false
  throw new UsageError(`${key} must be true or false, not "${value}"`)
}

const check = (config: AgentConfig): void => {
  if (!config.server) throw new UsageError('--server HOST:PORT is missing')
  if (!config.client_secret) throw new UsageError('--secret is missing')
  if (!/^[\x21-\x7e]+$/.test(config.client_secret))
    throw new UsageError('--secret may hold only letters, digits and signs')
  const fault = findFault(config)
  if (fault) throw new UsageError(fault)
}

/** Reads flags, environment and file; an earlier source wins. Makes and stores a uuid if none is given. Errors: `UsageError`. */
export const loadSettings = async ({ args, env, readFile, writeFile, newUuid }: SettingsSource): Promise<Settings> => {
  const flags = parseFlags(args)
  const path = flags.config ?? `${env.QD_DATA || 'data'}/agent.json`
  const text = await readFile(path).catch((error) => {
    throw new UsageError(`cannot read ${path}: ${error.message}`)
  })
  const file = text === undefined ? {} : parseFile(path, text)
  const unknown = Object.entries(file).filter(([key]) => !(key in defaultConfig))
  const write = (content: object) => writeFile(path, `${JSON.stringify(content, null, 2)}\n`)

  const given: Partial<Record<keyof AgentConfig, unknown>> = { ...flags, client_secret: flags.secret }
  const known = mapConfig(defaultConfig, (key, old) => {
    const value = given[key] ?? (env[`NZ_${key.toUpperCase()}`] || file[key])
    return value === undefined || value === null || value === '' ? old : readValue(key, old, value)
  })
  let current = fillConfig({ ...known, uuid: known.uuid || newUuid() })
  check(current)
  if (!known.uuid)
    await write({ ...file, uuid: current.uuid }).catch((error) => {
      throw new UsageError(`cannot keep this agent's identity in ${path}: ${error.message}; give --config or --uuid`)
    })
  return {
    get current() {
      return current
    },
    async save(next) {
      await write({ ...Object.fromEntries(unknown), ...toConfigJson(next) })
      current = next
    },
  }
}
