import { type AgentConfig, type ConfigValue, defaultConfig, fillConfig, findFault, mapConfig } from './agent-config.ts'

/** The message goes to the server. */
export class ConfigRefusal extends Error {}

const maxUint32 = 2 ** 32 - 1

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

const refuseType = (key: string, value: unknown, type: string): never => {
  const number = typeof value === 'number' && type === 'uint32' ? ` ${value}` : ''
  throw new ConfigRefusal(
    `json: cannot unmarshal ${kindOf(value)}${number} into Go struct field AgentConfig.${key} of type ${type}`,
  )
}

const takeValue = (key: string, old: ConfigValue, value: unknown): ConfigValue => {
  const strict = <T>(type: string, isOne: (value: unknown) => value is T, part: unknown = value): T =>
    isOne(part) ? part : refuseType(key, part, type)
  const isText = (part: unknown): part is string => typeof part === 'string'
  const isFlag = (part: unknown): part is boolean => typeof part === 'boolean'
  const isUint = (part: unknown): part is number =>
    Number.isInteger(part) && Number(part) >= 0 && Number(part) <= maxUint32
  if (Array.isArray(old)) {
    if (value === null) return []
    return strict('[]string', Array.isArray).map((part) => strict('string', isText, part ?? ''))
  }
  if (typeof old === 'object') {
    if (value === null) return {}
    if (kindOf(value) !== 'object') return refuseType(key, value, 'map[string]bool')
    const flags = Object.entries(value as object).map(([name, flag]) => [name, strict('bool', isFlag, flag ?? false)])
    return { ...old, ...Object.fromEntries(flags) }
  }
  if (value === null) return old
  if (typeof old === 'boolean') return strict('bool', isFlag)
  return typeof old === 'number' ? strict('uint32', isUint) : strict('string', isText)
}

const parseFields = (text: string): Map<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ConfigRefusal((error as Error).message)
  }
  if (value !== null && kindOf(value) !== 'object')
    throw new ConfigRefusal(`json: cannot unmarshal ${kindOf(value)} into Go value of type AgentConfig`)
  return new Map(Object.entries(value ?? {}).map(([name, field]) => [name.toLowerCase(), field]))
}

const check = (config: AgentConfig): AgentConfig => {
  const filled = fillConfig(config)
  const fault = findFault(filled)
  if (fault) throw new ConfigRefusal(fault)
  return filled
}

/** Task 13: keys in any case, unknown ones ignored, lists replaced, the map merged; null clears both and keeps the rest (agent contract 3.8, 8.2). Errors: `ConfigRefusal`. */
export const applyConfig = (current: AgentConfig, text: string): AgentConfig => {
  const fields = parseFields(text)
  const next = check(mapConfig(current, (key, old) => (fields.has(key) ? takeValue(key, old, fields.get(key)) : old)))
  if (next.client_secret !== current.client_secret)
    throw new ConfigRefusal('ApplyConfig rejected: client_secret rotation must use TaskTypeServerTransferApply')
  return next
}

/** Errors: `ConfigRefusal`. */
export const applySecret = (current: AgentConfig, text: string): AgentConfig => {
  const secret = takeValue('client_secret', defaultConfig.client_secret, parseFields(text).get('client_secret') ?? '')
  const bytes = Buffer.from(String(secret))
  if (bytes.length !== 32) throw new ConfigRefusal(`rejected client_secret rotation: length=${bytes.length}, want 32`)
  const odd = bytes.findIndex((byte) => !/[0-9A-Za-z]/.test(String.fromCharCode(byte)))
  if (odd >= 0) throw new ConfigRefusal(`rejected client_secret rotation: byte ${odd} outside [0-9A-Za-z]`)
  return check({ ...current, client_secret: String(secret) })
}

/** Task 14; over TLS only, as Nezha (agent contract 3.9). Errors: `ConfigRefusal`. */
export const applyTransfer = (current: AgentConfig, text: string): AgentConfig => {
  const next = applySecret(current, text)
  if (!current.tls || current.insecure_tls)
    throw new ConfigRefusal(
      'ServerTransferApply rejected: rotated secret cannot be delivered over plaintext or InsecureTLS',
    )
  return next
}
