import { argumentsOf } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { checkInput } from '@qd/core/fields'
import { server } from '@qd/core/resources'
import type { Enrollment } from '../../access/enrollment.ts'
import type { Caller } from '../../kernel/caller.ts'
import { texts } from '../../kernel/texts.ts'
import { invalid } from '../../store/records/input.ts'
import { ownsServer } from '../../store/records/rights.ts'
import type { Accounts, ServerRecords, ServerRow } from '../../store/records/rows.ts'
import type { Settings } from '../../store/records/settings.ts'

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

/** Scripts of the Nezha agent (agent contract 9.1). */
const nezhaScripts = 'https://raw.githubusercontent.com/nezhahq/scripts/main/agent/'
const oldTls = ['Ssl3', 'Tls', 'Tls11', 'Tls12'].map((name) => `[Net.SecurityProtocolType]::${name}`).join(' -bor ')

/** True for `HOST` or `HOST:PORT` that needs no quoting anywhere. */
export function isHost(text: string): boolean {
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(text)
}

/** The line to run on a host. The secret goes through the environment, never through an argument. Source: decisions.md "Install commands", contract http-api 4.18. */
export function installCommand({ os, agent, watch_only }: InstallTarget, values: InstallValues): string {
  const server = agent === 'ours' ? withPort(values) : values.host
  const variables = [
    ['NZ_SERVER', server],
    ['NZ_TLS', String(values.tls)],
    ...(values.code === undefined ? [['NZ_CLIENT_SECRET', values.secret]] : [['QD_CODE', values.code]]),
    ...(watch_only ? [['QD_WATCH_ONLY', 'true']] : []),
    ...(values.uuid === null ? [] : [['NZ_UUID', values.uuid]]),
  ] as [string, string][]
  const origin = `${values.tls ? 'https' : 'http'}://${server}`
  if (os === 'windows') {
    const set = variables.map(([name, value]) => `$env:${name}="${value}";`).join('')
    if (agent === 'ours') return `${set} irm "${origin}/install.ps1" | iex`
    const fetch = `Invoke-WebRequest ${nezhaScripts}install.ps1 -OutFile C:\\install.ps1;powershell.exe C:\\install.ps1`
    return `${set} [Net.ServicePointManager]::SecurityProtocol = ${oldTls};set-ExecutionPolicy RemoteSigned;${fetch}`
  }
  const set = variables.map(([name, value]) => `${name}=${value}`).join(' ')
  if (agent === 'ours') {
    const url = `"${origin}/install.sh"`
    return `(curl -fsSL ${url} || wget -qO- ${url}) | ${set} sh`
  }
  return `curl -L ${nezhaScripts}install.sh -o agent.sh && chmod +x agent.sh && env ${set} ./agent.sh`
}

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
}

/**
 * `GET /install?os=&agent=&hosts=&watch_only=&uuid=`: the command to run on a host; `uuid` makes it an existing record of the caller's again. For our agent it
 * carries a code that `hosts` hosts may use.
 * Errors: `installHostRequired`, `agentSecretRequired`, `invalid`, `tokenForbidden`.
 */
export function createInstallCall({ accounts, enrollment, settings, servers, siteSecret }: InstallParts) {
  /** A code for the record's owner; that of an existing record is for one host. */
  const codeFor = ({ viewer }: Caller, row: ServerRow | undefined, { hosts }: { hosts: number }) =>
    enrollment.make({
      ownerId: row?.owner_id ?? (viewer.id as number),
      uuid: row?.uuid.toLowerCase() ?? '',
      hosts: row ? 1 : hosts,
    })

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

  return async (caller: Caller, query: unknown): Promise<{ command: string }> => {
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
    const credential =
      target.agent === 'ours' ? { code: await codeFor(caller, row, target) } : { secret: secretFor(caller, row) }
    if (credential.secret === '') throw new AppError('agentSecretRequired')
    return { command: installCommand(target, { host, tls, ...credential, uuid: row?.uuid ?? null }) }
  }
}
