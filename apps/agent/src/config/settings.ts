import { parseArgs } from 'node:util'
import { type AgentConfig, defaultConfig, fillConfig, findFault, mapConfig, toConfigJson } from './agent-config.ts'
import { notesOn, readValue, UsageError } from './operator-values.ts'

type Content = Readonly<Record<string, unknown>>

export interface SettingsFile {
  readonly content: Content
  /** In YAML, comments and order of the rest stay. */
  with(next: Content): string
}

const toObject = (value: unknown): Content | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined

const readJson = (path: string, text: string): SettingsFile => {
  const write = (next: Content) => `${JSON.stringify(next, null, 2)}\n`
  try {
    const content = toObject(JSON.parse(text))
    if (content) return { content, with: write }
  } catch {}
  throw new UsageError(`${path} is not a JSON object; fix it, or give another file with --config`)
}

/** Keys in any case, as in Nezha (agent contract 8.3). Errors: `UsageError`. */
const readYaml = async (path: string, text: string): Promise<SettingsFile> => {
  // Only hosts that come from Nezha need it.
  const { isMap, parseDocument } = await import('yaml')
  const document = parseDocument(text)
  const [fault] = document.errors
  if (fault) throw new UsageError(`${path} is not YAML: ${fault.message.split('\n')[0]?.replace(/:$/, '')}`)
  const { contents } = document
  if (contents !== null && !isMap(contents)) throw new UsageError(`${path} contains no settings`)
  const written = toObject(document.toJS()) ?? {}
  const names = new Map(Object.keys(written).map((name) => [name.toLowerCase(), name]))
  return {
    content: Object.fromEntries(Object.entries(written).map(([name, value]) => [name.toLowerCase(), value])),
    with(next) {
      for (const [key, name] of names) if (!(key in next)) document.delete(name)
      for (const [key, value] of Object.entries(next)) document.set(names.get(key) ?? key, value)
      return document.toString()
    },
  }
}

/** YAML by extension, else JSON. Errors: `UsageError`. */
const readSettingsFile = async (path: string, text: string | undefined): Promise<SettingsFile> =>
  /\.ya?ml$/i.test(path) ? readYaml(path, text ?? '') : readJson(path, text ?? '{}')

export type Settings = Awaited<ReturnType<typeof loadSettings>>

/** Why commands and the server’s own code are refused. */
export const lockOf = ({ isWatchOnly, current }: Settings): 'watchOnly' | 'commandsDisabled' | null =>
  isWatchOnly ? 'watchOnly' : current.disable_command_execute ? 'commandsDisabled' : null

export interface SettingsSource {
  args: string[]
  env: Record<string, string | undefined>
  /** Undefined if missing; rejects if unreadable. */
  readFile(path: string): Promise<string | undefined>
  /** Atomic, with folders; readable by the owner only. */
  writeFile(path: string, text: string): Promise<void>
  newUuid(): string
  newSecret(): string
}

export const usage = `Usage: quarterdeck-agent --server HOST:PORT (--code C | --secret S) [--uuid U] [--tls] [--config FILE]
       from source: node apps/agent/dist/main.js …

  --server HOST:PORT  address of the server                        NZ_SERVER
  --code C            code of an install command; the agent then   QD_CODE
                      makes a secret of its own and saves it
  --secret S          agent secret of a user                       NZ_CLIENT_SECRET
  --uuid U            identity; generated and saved if missing     NZ_UUID
  --tls               connect with TLS                             NZ_TLS
  --watch-only        no commands, shells, files, NAT, or          QD_WATCH_ONLY
                      configuration from the server
  --config FILE       JSON file with the configuration and identity (default data/agent.json in QD_DATA or the current
                      folder), or the config.yml of a Nezha agent
  --import FILE       print the config.yml of a Nezha agent as JSON, with notes on settings that have no effect here
  --supervise         restart the agent when it exits or is updated
  --service           a service manager such as systemd restarts it instead; allows updates
  --version, --help

Flags override the environment, and the environment overrides the file. A code counts only if there is no secret yet. Keys of the file; in the environment, in capitals with NZ_ in front:
${Object.keys(defaultConfig)
  .join(', ')
  .replace(/(.{90,116}) /g, '$1\n')}.`

const parseFlags = (args: string[]) => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const options = {
    server: text,
    secret: text,
    code: text,
    uuid: text,
    config: text,
    import: text,
    tls: flag,
    supervise: flag,
    service: flag,
    'watch-only': flag,
  }
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}

/** Keys that no server reads or changes. */
interface HostKeys {
  enrollment_code: string
  watch_only: boolean
  update_key: string
}
const noHostKeys: HostKeys = { enrollment_code: '', watch_only: false, update_key: '' }

const check = (config: AgentConfig, { enrollment_code: code }: HostKeys): void => {
  if (!/^[\x21-\x7e]*$/.test(code)) throw new UsageError('--code may contain only printable ASCII characters')
  if (!config.server) throw new UsageError('missing flag: --server HOST:PORT')
  if (!config.client_secret) throw new UsageError('missing flag: --code or --secret')
  if (!/^[\x21-\x7e]+$/.test(config.client_secret))
    throw new UsageError('--secret may contain only printable ASCII characters')
  const fault = findFault(config)
  if (fault) throw new UsageError(fault)
}

const readText = (readFile: SettingsSource['readFile'], path: string) =>
  readFile(path).catch((error) => {
    throw new UsageError(`cannot read ${path}: ${error.message}`)
  })

/** A Nezha file’s settings, identity and notes on those without effect. Errors: `UsageError`. */
export const importSettings = async ({ args, readFile }: Pick<SettingsSource, 'args' | 'readFile'>) => {
  const path = parseFlags(args).import ?? ''
  const text = await readText(readFile, path)
  if (text === undefined) throw new UsageError(`${path} not found`)
  const { content } = await readYaml(path, text)
  const isGiven = (key: string) => content[key] !== undefined && content[key] !== null && content[key] !== ''
  const config = mapConfig(defaultConfig, (key, old) => (isGiven(key) ? readValue(key, old, content[key]) : old))
  if (!config.uuid) throw new UsageError(`${path} contains no uuid, so this host would become a new server`)
  const fault = findFault(fillConfig(config))
  if (fault) throw new UsageError(`${path}: ${fault}`)
  const settings = Object.fromEntries(Object.entries(toConfigJson(config)).filter(([key]) => isGiven(key)))
  return { settings, notes: notesOn(config) }
}

/** Flags win over environment over file. Stores a new UUID if there is none. Errors: `UsageError`. */
export const loadSettings = async ({ args, env, readFile, writeFile, newUuid, newSecret }: SettingsSource) => {
  const flags = parseFlags(args)
  const path = flags.config ?? `${env.QD_DATA || 'data'}/agent.json`
  const stored = await readSettingsFile(path, await readText(readFile, path))
  const file = stored.content
  const unknown = Object.entries(file).filter(([key]) => !(key in defaultConfig) && !(key in noHostKeys))
  const given: Partial<Record<keyof AgentConfig, unknown>> = { ...flags, client_secret: flags.secret }
  const known = mapConfig(defaultConfig, (key, old) => {
    const value = given[key] ?? (env[`NZ_${key.toUpperCase()}`] || file[key])
    return value === undefined || value === null || value === '' ? old : readValue(key, old, value)
  })
  const toFlag = (value: unknown) => (value ?? '') !== '' && readValue('watch_only', false, value) === true
  const isWatchOnly = toFlag(flags['watch-only'] ?? (env.QD_WATCH_ONLY || file.watch_only))
  const storedCode = String(file.enrollment_code ?? '').trim()
  const code = known.client_secret ? '' : (flags.code ?? (env.QD_CODE || storedCode)).trim()
  const isNew = code !== ''
  let host: HostKeys = {
    enrollment_code: code || storedCode,
    update_key: String(file.update_key ?? ''),
    watch_only: toFlag(file.watch_only),
  }
  const unchanged = Object.fromEntries(Object.entries(file).filter(([key]) => !(key in noHostKeys)))
  let content: Record<string, unknown> = unchanged
  let last: Promise<unknown> = Promise.resolve()
  const write = (next: () => Record<string, unknown> = () => content): Promise<void> => {
    const turn = last.then(async () => {
      const written = next()
      const own = Object.fromEntries(Object.entries(host).filter(([, value]) => value))
      await writeFile(path, stored.with({ ...written, ...own }))
      content = written
    })
    last = turn.catch(() => undefined)
    return turn
  }
  let current = fillConfig({
    ...known,
    uuid: known.uuid || newUuid(),
    client_secret: known.client_secret || (isNew ? newSecret() : ''),
  })
  check(current, host)
  if (!known.uuid || isNew) {
    const identity = { uuid: current.uuid, ...(isNew && { client_secret: current.client_secret }) }
    await write(() => ({ ...unchanged, ...identity })).catch((error) => {
      throw new UsageError(
        `cannot save the identity of this agent in ${path}: ${error.message}; use --config or --uuid`,
      )
    })
  }
  return {
    get current() {
      return current
    },
    /** The enrollment code; undefined once the server knows the secret. */
    get code() {
      return host.enrollment_code || undefined
    },
    async enrolled(): Promise<void> {
      if (host.enrollment_code === '') return
      host = { ...host, enrollment_code: '' }
      await write()
    },
    /** Only reports and probes; no server can change it. */
    isWatchOnly,
    /** Reports its hostname without a code too: the local server’s agent. */
    sendsHostname: toFlag(env.QD_SEND_HOSTNAME),
    /** The pinned server’s public key. */
    get updateKey() {
      return host.update_key
    },
    /** Pins the first key forever, so that a compromised server can’t replace it. Rejects if the file can’t be written; the key then counts until the end. */
    async pin(key: string): Promise<void> {
      if (host.update_key !== '') return
      host = { ...host, update_key: key }
      await write()
    },
    /** A flag or the environment sets the secret, so that one in the file would have no effect. */
    isSecretGiven: Boolean(given.client_secret ?? env.NZ_CLIENT_SECRET),
    /** Rejects, unchanged, if the file can’t be written. */
    async save(next: AgentConfig): Promise<void> {
      await write(() => ({ ...Object.fromEntries(unknown), ...toConfigJson(next) }))
      current = next
    },
  }
}
