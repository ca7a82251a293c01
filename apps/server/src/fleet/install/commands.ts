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
