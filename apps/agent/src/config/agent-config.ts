/** All settings of an agent, under their names in the settings file and in tasks 12 and 13. */
export type AgentConfig = {
  /** Log every task. */
  debug: boolean
  /** `HOST:PORT`. */
  server: string
  client_secret: string
  uuid: string
  /** Mount points to count; all disks of the machine when empty. */
  hard_drive_partition_allowlist: string[]
  /** Interfaces to count, by name; the real ones when empty. */
  nic_allowlist: Record<string, boolean>
  dns: string[]
  gpu: boolean
  temperature: boolean
  /** Leave the counts of sockets at 0. */
  skip_connection_count: boolean
  /** Leave the count of processes at 0. */
  skip_procs_count: boolean
  disable_auto_update: boolean
  disable_force_update: boolean
  /** Refuse commands, terminals, files and everything about this configuration. */
  disable_command_execute: boolean
  /** Seconds between two reports, 1 to 4. */
  report_delay: number
  tls: boolean
  /** Accept any certificate. */
  insecure_tls: boolean
  use_ipv6_country_code: boolean
  use_gitee_to_upgrade: boolean
  use_atomgit_to_upgrade: boolean
  disable_nat: boolean
  disable_send_query: boolean
  /** How often the machine's addresses are looked up again, in seconds, at least 30. */
  ip_report_period: number
  self_update_period: number
  /** Web pages that return the caller's address; without any, the agent reads only the machine's own interfaces. */
  custom_ip_api: string[]
}

/** What a key can hold. */
export type ConfigValue = AgentConfig[keyof AgentConfig]

/** The default of each setting, in the order of reports. Source: agent contract 8.1. */
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
  // The Nezha agents' 3 s would leave the console unchanged for more than its 2 s.
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

/** A configuration in which each key has the value that `value` returns for the key. */
export const mapConfig = (
  base: AgentConfig,
  value: (key: keyof AgentConfig, old: ConfigValue) => ConfigValue,
): AgentConfig => {
  const entries = Object.entries(base) as [keyof AgentConfig, ConfigValue][]
  return Object.fromEntries(entries.map(([key, old]) => [key, value(key, old)])) as AgentConfig
}

/** The JSON of task 12 and of the settings file: every key except empty lists. */
export const toConfigJson = (config: AgentConfig): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(config).filter(([, value]) => typeof value !== 'object' || Object.keys(value).length > 0),
  )

/** Replaces zeros by the default, and a period of address look-ups below 30 s by 30 s. */
export const fillConfig = (config: AgentConfig): AgentConfig => ({
  ...config,
  report_delay: config.report_delay || defaultConfig.report_delay,
  ip_report_period: Math.max(config.ip_report_period || defaultConfig.ip_report_period, 30),
})

const isWebAddress = (text: string): boolean => /^https?:\/\/./i.test(text)

/** Why a configuration cannot be used, in the words of Nezha agents where they check it; undefined when it can. */
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
