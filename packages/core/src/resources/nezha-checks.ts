import { versionOrder } from '../targets/index.ts'

/**
 * Checks of Nezha, which doesn’t check itself. Sources: behaviors "Contract drift" (versions), contract http-api 3.13 (GPUs) and 6.4 (nothing is
 * counted without an address). Texts like those of `doctorChecks`.
 */
export const nezhaChecks = {
  endingRules: 'bad',
  noCsrf: 'bad',
  toldSecrets: 'bad',
  noBrake: 'warn',
  unknownVersion: 'warn',
  agentsPlain: 'warn',
  oldAgents: 'warn',
  endlessTokens: 'warn',
} as const satisfies Readonly<Record<string, 'bad' | 'warn'>>

export type NezhaCheck = keyof typeof nezhaChecks

/** Agents older than the newest one. */
export function olderAgents(agents: readonly { name: string; version: string }[]): readonly string[] {
  const newest = agents.reduce((best, { version }) => ((versionOrder(version, best) ?? 0) > 0 ? version : best), '0')
  return agents
    .filter(({ version }) => version !== '' && (versionOrder(version, newest) ?? 0) < 0)
    .map(({ name, version }) => `${name} (${version})`)
}
