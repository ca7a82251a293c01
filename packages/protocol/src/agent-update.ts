/** Paths at which our server offers our agent, on the port that agents report to. Source: docs/reference/agent-extensions.md. */
export const agentPaths = {
  manifest: '/agent/manifest.json',
  bundle: '/agent/quarterdeck-agent.mjs',
} as const

/** What `agentPaths.manifest` answers: the bundle's own version, the SHA-256 of its bytes in hex, its size in bytes, and who has signed that. */
export interface AgentManifest {
  version: string
  sha256: string
  size: number
  /** Ed25519 signatures of `toSignedText`, base64: by the key of this server, and by that of the release. */
  signatures?: { installation?: string; release?: string }
}

/** What is signed of an agent bundle. */
export const toSignedText = ({ version, sha256, size }: Pick<AgentManifest, 'version' | 'sha256' | 'size'>): string =>
  `quarterdeck-agent ${version} ${size} ${sha256}`

/** Exit code of an agent that has put a new bundle in its place and wants to be started again at once. */
export const updateExitCode = 75

/**
 * Turns our agent's own version into the one that it reports, for example `2.3.3+qd.0.1.0`. Servers decide by the number
 * which tasks they send (from 2.1.0 on all of them) and ignore the part after the `+`.
 */
export const toReportedVersion = (own: string): string => `2.3.3+qd.${own}`
