import { argumentsOf } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { checkInput } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import { shellQuote } from '@qd/protocol/shell-quote'
import type { Enrollment } from '../../access/enrollment.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import type { Note } from '../../store/records/audit.ts'
import { invalid } from '../../store/records/input.ts'
import { ownsServer } from '../../store/records/rights.ts'
import type { Accounts, ServerRecords, ServerRow } from '../../store/records/rows.ts'
import type { Settings } from '../../store/records/settings.ts'
import { inPowerShell, type NezhaRelease } from './nezha-release.ts'

/** What an install command carries. */
export interface InstallValues {
  /** `HOST:PORT` as the setting has it. */
  host: string
  tls: boolean
  /** What the host enrolls with; of a Nezha agent its owner's agent secret. */
  code?: string
  secret?: string
  /** Of an existing record, so that the host is it again; null for a new one. */
  uuid: string | null
}

/** Systems with a command, whose agent it installs (core's `InstallSystem` and `InstallAgent`), and whether that is watch-only. */
export type InstallTarget = { os: 'linux' | 'macos' | 'windows'; agent: 'ours' | 'nezha'; watch_only?: boolean }

/** True for `HOST` or `HOST:PORT` that needs no quoting anywhere. */
export function isHost(text: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(text)
}

/** The line to run on a host. The secret goes through the environment, never through an argument. Source: decisions.md "Install commands", contract http-api 4.18. */
export function installCommand({ os, watch_only }: InstallTarget, values: InstallValues): string {
  const server = withPort(values)
  const variables = variablesOf(server, values, watch_only)
  if (os === 'windows')
    return `${inPowerShellEnvironment(variables)} irm "${originOf(server, values)}/install.ps1" | iex`
  const url = `"${originOf(server, values)}/install.sh"`
  return `(curl -fsSL ${url} || wget -qO- ${url}) | ${inShellEnvironment(variables)} sh`
}

/** The same for the Nezha agent: it runs the script of this server only if that has the checksum, and the script the agent only if it has its own. */
export function nezhaCommand(os: InstallTarget['os'], values: InstallValues, sha256: string): string {
  const variables = variablesOf(values.host, values)
  const origin = originOf(values.host, values)
  if (os === 'windows') {
    const tls = '[Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12;'
    const fetch = `$f = "$env:TEMP\\nezha-agent.ps1"; Invoke-WebRequest -UseBasicParsing ${inPowerShell(`${origin}/nezha-agent.ps1`)} -OutFile $f;`
    const run = 'powershell.exe -ExecutionPolicy Bypass -File $f'
    const check = `if ((Get-FileHash -Algorithm SHA256 $f).Hash -eq "${sha256}") { ${run} } else { throw "wrong checksum; copy the command again" }`
    return `${inPowerShellEnvironment(variables)} ${tls} ${fetch} ${check}`
  }
  const url = shellQuote(`${origin}/nezha-agent.sh`)
  const check = os === 'macos' ? 'shasum -a 256 -c' : 'sha256sum -c'
  const fetch = `(curl -fsSL ${url} -o nezha-agent.sh || wget -qO nezha-agent.sh ${url})`
  const run = `${inShellEnvironment(variables)} sh nezha-agent.sh`
  // In a folder that only this user may write to: no other user can replace the script between its check and its start.
  return `(d=$(mktemp -d) && cd "$d" && ${fetch} && echo "${sha256}  nezha-agent.sh" | ${check} && ${run})`
}

type Variables = readonly (readonly [name: string, value: string])[]

const variablesOf = (server: string, { tls, code, secret = '', uuid }: InstallValues, watchOnly = false): Variables => [
  ['NZ_SERVER', server],
  ['NZ_TLS', String(tls)],
  code === undefined ? ['NZ_CLIENT_SECRET', secret] : ['QD_CODE', code],
  ...(watchOnly ? [['QD_WATCH_ONLY', 'true'] as const] : []),
  ...(uuid === null ? [] : [['NZ_UUID', uuid] as const]),
]
const inShellEnvironment = (variables: Variables) =>
  variables.map(([name, value]) => `${name}=${shellQuote(value)}`).join(' ')
const inPowerShellEnvironment = (variables: Variables) =>
  variables.map(([name, value]) => `$env:${name}=${inPowerShell(value)};`).join('')
const originOf = (server: string, { tls }: InstallValues) => `${tls ? 'https' : 'http'}://${server}`

/** Our agent connects to a port that is named. */
function withPort({ host, tls }: InstallValues): string {
  return /:\d+$/.test(host) ? host : `${host}:${tls ? 443 : 80}`
}

const { input, initial } = argumentsOf(server, 'install')

/** What an install command is made from. */
export interface InstallParts {
  accounts: Accounts
  settings: Settings
  servers: ServerRecords
  enrollment: Pick<Enrollment, 'make'>
  /** The site's own agent secret, for records that are nobody's. */
  siteSecret: string
  nezha: NezhaRelease
}

/**
 * `GET /install?os=&agent=&hosts=&watch_only=&uuid=`: the command to run on a host; `uuid` makes it an existing record of the caller's again. For our agent it
 * carries a code that `hosts` hosts may use.
 * Errors: `installHostRequired`, `agentSecretRequired`, `nezhaReleaseRequired`, `nezhaReleaseUnusable`, `invalid`, `tokenForbidden`.
 */
export function createInstallCall({ accounts, enrollment, settings, servers, siteSecret, nezha }: InstallParts) {
  /** A code for the record's owner; that of an existing record is for one host. */
  function codeFor({ viewer }: Caller, row: ServerRow | undefined, { hosts, note }: { hosts: number; note?: Note }) {
    const ownerId = row?.owner_id ?? (viewer.id as number)
    const order = { ownerId, uuid: row?.uuid.toLowerCase() ?? '', hosts: row ? 1 : hosts }
    return enrollment.make(order, (db) => note?.(db))
  }

  /** A secret that the record's owner may use, for Nezha agents, which know no codes. An API token gets none: it would be more than the token. */
  function secretFor({ viewer }: Caller, row: ServerRow | undefined): string {
    const ownerId = row?.owner_id ?? (viewer.id as number)
    if (ownerId === 0) return siteSecret
    return accounts.find(ownerId)?.agent_secret ?? ''
  }

  function recordOf({ viewer }: Caller, uuid: string): ServerRow {
    const row = servers.byUuid(uuid)
    if (row && ownsServer(viewer, row)) return row
    throw invalid([{ field: 'uuid', code: 'unknownReference' }], { 'uuid.unknownReference': () => texts.server }, {})
  }

  return async (caller: Caller, query: unknown, note?: Note): Promise<{ command: string }> => {
    if (caller.token) throw new AppError('tokenForbidden', { text: texts.notForTokens })
    const {
      os,
      agent = initial.agent,
      hosts = initial.hosts,
      watch_only,
      uuid,
    } = query as Readonly<Record<string, string>>
    const checked = checkInput(input, { os, agent, hosts: Number(hosts), watch_only: watch_only === 'true' })
    if (!checked.ok) throw invalid(checked.problems, { 'os.notOption': () => texts.unknownOs }, {})
    // A Nezha agent would take everything all the same.
    if (checked.input.watch_only && checked.input.agent !== 'ours')
      throw invalid([{ field: 'watch_only', code: 'wrong' }], {}, {})
    const row = uuid === undefined ? undefined : recordOf(caller, uuid)
    const { install_host, dashboard_host, tls } = settings.get()
    const host = install_host || dashboard_host
    if (!isHost(host)) throw new AppError('installHostRequired')
    const target = checked.input as InstallTarget & { hosts: number }
    const common = { host, tls, uuid: row?.uuid ?? null }
    if (target.agent === 'ours') {
      const code = await codeFor(caller, row, { ...target, ...(note && { note }) })
      return { command: installCommand(target, { ...common, code }) }
    }
    const secret = secretFor(caller, row)
    if (secret === '') throw new AppError('agentSecretRequired')
    await nezha.check(target.os)
    const { sha256 } = await nezha.script(target.os === 'windows' ? 'nezha-agent.ps1' : 'nezha-agent.sh')
    return { command: nezhaCommand(target.os, { ...common, secret }, sha256) }
  }
}
