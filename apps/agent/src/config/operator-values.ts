import { type AgentConfig, type ConfigValue, defaultConfig } from './agent-config.ts'

/** An operator’s mistake: one sentence on stderr, exit code 2. */
export class UsageError extends Error {}

/** Accepts flags and numbers as text, and a single text as list. Errors: `UsageError`. */
export const readValue = (key: string, old: ConfigValue, value: unknown): ConfigValue => {
  if (Array.isArray(old)) return [value].flat().map(String)
  if (typeof old === 'string') return String(value).trim()
  if (typeof old === 'object') {
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isMap) return Object.fromEntries(Object.entries(value).map(([name, flag]) => [name, flag === true]))
    throw new UsageError(`${key} must be an object with true or false for each name`)
  }
  if (typeof old === 'number') {
    if (Number.isInteger(Number(value)) && Number(value) >= 0) return Number(value)
    throw new UsageError(`${key} must be a whole number, not "${value}"`)
  }
  if (/^(1|t|true)$/i.test(String(value))) return true
  if (/^(0|f|false)$/i.test(String(value))) return false
  throw new UsageError(`${key} must be true or false, not "${value}"`)
}

/** Nezha settings that are kept and reported without effect, with reasons. */
const withoutEffect: Partial<Record<keyof AgentConfig, string>> = {
  dns: 'this agent uses the system resolver',
  gpu: 'this agent does not measure GPUs',
  disable_auto_update: 'this agent never updates on its own',
  self_update_period: 'this agent never updates on its own',
  use_gitee_to_upgrade: 'this agent gets updates from its server',
  use_atomgit_to_upgrade: 'this agent gets updates from its server',
}

export const notesOn = (config: AgentConfig): string[] =>
  (Object.entries(withoutEffect) as [keyof AgentConfig, string][])
    .filter(([key]) => JSON.stringify(config[key]) !== JSON.stringify(defaultConfig[key]))
    .map(([key, reason]) => `${key} has no effect: ${reason}`)
