import { versionOrder } from '../targets/index.ts'

/**
 * What is looked for on an existing dashboard, which does not look at itself. Sources: behaviours "Contract drift" (versions), contract http-api
 * 3.13 (graphics cards) and 6.4 (nothing is counted without an address). Texts as those of `doctorChecks`.
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

/** Agents that are older than the newest of them, each with its version. Pure. */
export function olderAgents(agents: readonly { name: string; version: string }[]): readonly string[] {
  const newest = agents.reduce((best, { version }) => ((versionOrder(version, best) ?? 0) > 0 ? version : best), '0')
  return agents
    .filter(({ version }) => version !== '' && (versionOrder(version, newest) ?? 0) < 0)
    .map(({ name, version }) => `${name} (${version})`)
}
