/** Settings, named as in the file and in tasks 12 and 13. */
export type AgentConfig = {
  debug: boolean
  server: string
  client_secret: string
  uuid: string
  /** Empty: all disks. */
  hard_drive_partition_allowlist: string[]
  /** Empty: the real interfaces. */
  nic_allowlist: Record<string, boolean>
  dns: string[]
  gpu: boolean
  temperature: boolean
  skip_connection_count: boolean
  skip_procs_count: boolean
  disable_auto_update: boolean
  disable_force_update: boolean
  /** Refuse commands, terminals, files and configuration. */
  disable_command_execute: boolean
  /** Seconds, 1 to 4. */
  report_delay: number
  tls: boolean
  insecure_tls: boolean
  use_ipv6_country_code: boolean
  use_gitee_to_upgrade: boolean
  use_atomgit_to_upgrade: boolean
  disable_nat: boolean
  disable_send_query: boolean
  /** Seconds, at least 30. */
  ip_report_period: number
  self_update_period: number
  /** Pages that return the caller’s address; empty: read the own interfaces. */
  custom_ip_api: string[]
}

export type ConfigValue = AgentConfig[keyof AgentConfig]

/** In the order of reports (agent contract 8.1). */
export const defaultConfig: AgentConfig = {
  debug: false,
  server: '',
  client_secret: '',
  uuid: '',
  hard_drive_partition_allowlist: [],
  nic_allowlist: {},
  dns: [],
  gpu: false,
  temperature: true,
  skip_connection_count: false,
  skip_procs_count: false,
  disable_auto_update: false,
  disable_force_update: false,
  disable_command_execute: false,
  // Nezha’s 3 s exceed the console’s interval of 2 s.
  report_delay: 1,
  tls: false,
  insecure_tls: false,
  use_ipv6_country_code: false,
  use_gitee_to_upgrade: false,
  use_atomgit_to_upgrade: false,
  disable_nat: false,
  disable_send_query: false,
  ip_report_period: 1800,
  self_update_period: 0,
  custom_ip_api: [],
}

export const mapConfig = (
  base: AgentConfig,
  value: (key: keyof AgentConfig, old: ConfigValue) => ConfigValue,
): AgentConfig => {
  const entries = Object.entries(base) as [keyof AgentConfig, ConfigValue][]
  return Object.fromEntries(entries.map(([key, old]) => [key, value(key, old)])) as AgentConfig
}

/** Every key except empty lists. */
export const toConfigJson = (config: AgentConfig): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).filter(([, value]) => typeof value !== 'object' || Object.keys(value).length > 0),
  )

export const fillConfig = (config: AgentConfig): AgentConfig => ({
  ...config,
  report_delay: config.report_delay || defaultConfig.report_delay,
  ip_report_period: Math.max(config.ip_report_period || defaultConfig.ip_report_period, 30),
})

const isWebAddress = (text: string): boolean => /^https?:\/\/./i.test(text)

/** Why a configuration can’t be used; Nezha’s words where it has them. */
export const findFault = (config: AgentConfig): string | undefined => {
  const { server, uuid, report_delay, custom_ip_api } = config
  const port = Number(/^(?:\[[^\]]+\]|[^:\s]+):(\d{1,5})$/.exec(server)?.[1])
  if (!(port > 0 && port < 65536)) return `server must be HOST:PORT, not "${server}"`
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(uuid))
    return `uuid must be 36 characters like 3b0f6a52-91c4-7d08-0e2f-5a6b7c8d9e0f, not "${uuid}"`
  if (!(Number.isInteger(report_delay) && report_delay >= 1 && report_delay <= 4)) return 'report-delay ranges from 1-4'
  const page = custom_ip_api.find((entry) => !isWebAddress(entry))
  return page === undefined ? undefined : `custom_ip_api entry "${page}" must use http or https scheme`
}
