import { versionOrder } from '../targets/index.ts'

/** Agents that are older than the newest of them, each with its version. Pure. */
export function olderAgents(agents: readonly { name: string; version: string }[]): readonly string[] {
  const newest = agents.reduce((best, { version }) => ((versionOrder(version, best) ?? 0) > 0 ? version : best), '0')
  return agents
    .filter(({ version }) => version !== '' && (versionOrder(version, newest) ?? 0) < 0)
    .map(({ name, version }) => `${name} (${version})`)
}
