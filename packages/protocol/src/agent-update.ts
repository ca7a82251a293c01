/** Paths of our agent’s bundle on the port that agents report to. Source: docs/reference/agent-extensions.md. */
export const agentPaths = {
  manifest: '/agent/manifest.json',
  bundle: '/agent/quarterdeck-agent.mjs',
} as const

export interface AgentManifest {
  version: string
  sha256: string
  size: number
  /** Ed25519 signatures of `toSignedText` in base64, by this server’s key and the release key. */
  signatures?: { installation?: string; release?: string }
}

export const toSignedText = ({ version, sha256, size }: Pick<AgentManifest, 'version' | 'sha256' | 'size'>): string =>
  `quarterdeck-agent ${version} ${size} ${sha256}`

/** Exit code of an agent that replaced its bundle and wants an immediate restart. */
export const updateExitCode = 75

/** The version that our agent reports, such as `2.3.3+qd.0.1.0`. Servers choose the tasks to send by what precedes the `+` (all from 2.1.0 on). */
export const toReportedVersion = (own: string): string => `2.3.3+qd.${own}`
