import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { textParts } from '@qd/core/i18n'
import { passwordBounds, passwordFault } from '@qd/core/schemas'
import { Refusal } from './kernel/errors.ts'
import { createClientAddresses } from './kernel/net/client-address.ts'
import { parseUpstream, type Upstream } from './kernel/upstream.ts'

export interface Config {
  host: string
  port: number
  data: string
  agent: boolean
  tls: { cert: string; key: string } | null
  /** Trusted proxies: addresses, ranges, `loopback`, `linklocal`, `uniquelocal`. */
  trustProxy: readonly string[]
  /** First start only; null: random. */
  adminPassword: string | null
  /** First start only; null: random. */
  agentSecret: string | null
  /** `postgres://…`, or null for SQLite in the data folder. */
  databaseUrl: string | null
  /** Waits for the database of another server, and takes over when that one is gone. */
  standby: boolean
  log: 'json' | 'text'
  web: string
  /** APIs of DNS providers, without a trailing slash. */
  ddnsOrigins: { cloudflare: string; tencentcloud: string; he: string }
  agentBundle: string
  demo: boolean
  /** The dashboard behind the gateway; null without one. */
  upstream: Upstream | null
}

export const usage = `Usage: quarterdeck [flags]    from source: npm start -- [flags]

  --host HOST         address to listen on (QD_HOST, default 127.0.0.1)
  --port PORT         port; 0 picks a free one (QD_PORT, default 8008)
  --data FOLDER       data folder; created if missing (QD_DATA, default ./data)
  --no-agent          run no agent for this machine (QD_NO_AGENT=1)
  --demo              serve 60 simulated servers from a data folder of their own (default ./data-demo)
  --standby           wait while another server has the same DATABASE_URL, and take over when it’s gone (QD_STANDBY=1)
  --tls-cert FILE     TLS certificate, PEM (QD_TLS_CERT)
  --tls-key FILE      TLS private key, PEM (QD_TLS_KEY)
  --trust-proxy LIST  proxies whose X-Forwarded-For to trust, comma-separated: addresses, ranges such as 10.0.0.0/8,
                      loopback, linklocal, uniquelocal (QD_TRUST_PROXY, default none)
  --upstream URL      serve the console for a Nezha dashboard, without a database or agents (QD_UPSTREAM)
  --upstream-ca FILE  CA certificate of that dashboard, PEM (QD_UPSTREAM_CA)
  --upstream-real-ip-header NAME
                      header in which to pass the client address to the dashboard (QD_UPSTREAM_REAL_IP_HEADER,
                      default none)
  --upstream-host HOST
                      Host header to send to the dashboard; set it to the address of this console for sign-in providers
                      (QD_UPSTREAM_HOST, default: the host in the URL)
  --help              show this help

Maintenance commands, each with [--data FOLDER]; from source: node apps/server/dist/main.js unblock …

  quarterdeck unblock ADDRESS   unblock an address
  quarterdeck backup FOLDER     back up the database and history to a new folder
  quarterdeck check [FOLDER]    check a data folder or backup, or which server has DATABASE_URL; exit code 1 if something is wrong
  quarterdeck restore FOLDER    restore a backup; the server must be stopped
  quarterdeck migrate to-postgres [URL]
                                copy the data folder’s database and history to an empty PostgreSQL database (default
                                DATABASE_URL); the server must be stopped
  quarterdeck migrate to-sqlite FOLDER
                                copy the database in DATABASE_URL to a data folder without one

Environment only: QD_ADMIN_PASSWORD and QD_AGENT_SECRET (first start only), DATABASE_URL (postgres://…), QD_LOG (json or text),
QD_DDNS_CLOUDFLARE, QD_DDNS_TENCENTCLOUD, and QD_DDNS_HE (alternative API addresses for these providers).
`

/** Also correct within the bundle. */
const builtWeb = fileURLToPath(new URL('../../web/dist/', import.meta.url))

export const agentProgram: string = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url))

export const installers: string = fileURLToPath(new URL('../install/', import.meta.url))

const options = {
  host: { type: 'string' },
  port: { type: 'string' },
  data: { type: 'string' },
  'no-agent': { type: 'boolean' },
  demo: { type: 'boolean' },
  standby: { type: 'boolean' },
  upstream: { type: 'string' },
  'upstream-ca': { type: 'string' },
  'upstream-real-ip-header': { type: 'string' },
  'upstream-host': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'trust-proxy': { type: 'string' },
  help: { type: 'boolean' },
} as const

type Environment = Readonly<Record<string, string | undefined>>

/** Flags win over the environment. Errors: Refusal. */
export function parseConfig(args: readonly string[], environment: Environment): Config | 'help' {
  const flags = parseFlags(args)
  if (flags.help) return 'help'
  const value = (flag: Exclude<keyof typeof flags, 'help' | 'no-agent' | 'demo' | 'standby'>, variable: string) =>
    flags[flag] ?? (environment[variable] || undefined)
  const log = environment.QD_LOG || 'text'
  if (log !== 'json' && log !== 'text') throw new Refusal(`QD_LOG must be json or text, not ${log}`)
  const config: Config = {
    host: value('host', 'QD_HOST') ?? '127.0.0.1',
    port: parsePort(value('port', 'QD_PORT') ?? '8008'),
    data: resolve(value('data', 'QD_DATA') ?? 'data'),
    agent: !flags['no-agent'] && !isOn(environment.QD_NO_AGENT),
    tls: readTls(value('tls-cert', 'QD_TLS_CERT'), value('tls-key', 'QD_TLS_KEY')),
    trustProxy: parseProxies(value('trust-proxy', 'QD_TRUST_PROXY')),
    adminPassword: parsePassword(environment.QD_ADMIN_PASSWORD),
    agentSecret: parseSecret(environment.QD_AGENT_SECRET),
    databaseUrl: parseDatabase(environment.DATABASE_URL),
    standby: flags.standby === true || isOn(environment.QD_STANDBY),
    log,
    web: builtWeb,
    agentBundle: agentProgram,
    ddnsOrigins: parseOrigins(environment),
    demo: flags.demo === true,
    upstream: readUpstream({
      url: value('upstream', 'QD_UPSTREAM'),
      ca: value('upstream-ca', 'QD_UPSTREAM_CA'),
      host: value('upstream-host', 'QD_UPSTREAM_HOST'),
      realIpHeader: value('upstream-real-ip-header', 'QD_UPSTREAM_REAL_IP_HEADER'),
    }),
  }
  if (config.demo) return demoOf(config, flags)
  if (config.standby && config.upstream) throw new Refusal('--standby and --upstream can’t be used together')
  if (config.standby && config.databaseUrl === null)
    throw new Refusal('--standby needs a PostgreSQL database that both servers use; set DATABASE_URL')
  return config
}

/** A demo touches neither the real server's folder nor its database or secret. Errors: Refusal. */
function demoOf(config: Config, { data = 'data-demo', standby }: { data?: string; standby?: boolean }): Config {
  if (config.upstream) throw new Refusal('--demo and --upstream can’t be used together')
  if (standby) throw new Refusal('--demo and --standby can’t be used together')
  return { ...config, data: resolve(data), databaseUrl: null, standby: false, agent: false, agentSecret: null }
}

function readUpstream({
  url,
  ...more
}: Record<'url' | 'ca' | 'host' | 'realIpHeader', string | undefined>): Upstream | null {
  if (url !== undefined) return parseUpstream({ url, ...more, readFile: readPem })
  if (Object.values(more).some((one) => one !== undefined))
    throw new Refusal('--upstream-ca, --upstream-host, and --upstream-real-ip-header require --upstream URL')
  return null
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new Refusal(`${(error as Error).message.split('. ')[0]}; to list flags: --help`)
  }
}

const isOn = (text: string | undefined) => text !== undefined && text !== '' && text !== '0' && text !== 'false'

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new Refusal(`the port must be a number from 0 to 65535, not ${text}`)
  return port
}

function readTls(cert: string | undefined, key: string | undefined): Config['tls'] {
  if (cert === undefined && key === undefined) return null
  if (cert === undefined || key === undefined) throw new Refusal('--tls-cert and --tls-key must be used together')
  return { cert: readPem(cert), key: readPem(key) }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Refusal(`cannot read ${file}: ${(error as Error).message}`)
  }
}

function parseProxies(text = ''): readonly string[] {
  const list = textParts(text)
  const everybody = list.find((part) => /\/(0|0\.0\.0\.0|::)$/.test(part))
  if (everybody !== undefined)
    throw new Refusal(`--trust-proxy ${everybody} would trust everyone, so any client could fake its address`)
  try {
    createClientAddresses(list)
  } catch (error) {
    throw new Refusal(
      `--trust-proxy takes addresses, ranges such as 10.0.0.0/8, and loopback, not ${text} (${(error as Error).message})`,
    )
  }
  return list
}

function parsePassword(text: string | undefined): string | null {
  if (!text) return null
  if (passwordFault(text)) {
    const { characters, bytes } = passwordBounds
    const found = `${[...text].length} characters, ${Buffer.byteLength(text)} bytes`
    throw new Refusal(
      `QD_ADMIN_PASSWORD has ${found}; it must have at least ${characters} characters and at most ${bytes} bytes`,
    )
  }
  return text
}

/** Unquoted in install commands. */
function parseSecret(text: string | undefined): string | null {
  if (!text) return null
  if (!/^[\w.+/=@:-]{1,256}$/.test(text))
    throw new Refusal('QD_AGENT_SECRET may contain only letters, digits, and . _ - + / = @ : (at most 256 characters)')
  return text
}

export const usualDdnsOrigins: Config['ddnsOrigins'] = {
  cloudflare: 'https://api.cloudflare.com/client/v4',
  tencentcloud: 'https://dnspod.tencentcloudapi.com',
  he: 'https://dyn.dns.he.net',
}

function parseOrigins(environment: Environment): Config['ddnsOrigins'] {
  const origin = (name: keyof Config['ddnsOrigins']) => {
    const variable = `QD_DDNS_${name.toUpperCase()}`
    const text = environment[variable] || usualDdnsOrigins[name]
    if (!/^https?:\/\/[^\s/?#]+[^\s?#]*$/.test(text)) throw new Refusal(`${variable} must be a URL, not ${text}`)
    return text.replace(/\/+$/, '')
  }
  return { cloudflare: origin('cloudflare'), tencentcloud: origin('tencentcloud'), he: origin('he') }
}

/** Errors: Refusal. */
export function parseDatabase(text: string | undefined, name = 'DATABASE_URL'): string | null {
  if (!text) return null
  if (!/^postgres(ql)?:\/\//.test(text)) throw new Refusal(`${name} must start with postgres://`)
  return text
}
