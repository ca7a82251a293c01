import { createPublicKey, verify } from 'node:crypto'
import { type AgentManifest, toSignedText } from '@qd/protocol/agent-update'

/** Set by the build of a release (scripts/build.mjs). */
declare const RELEASE_KEY: string | undefined

/** The key whose signature makes a bundle one of a release; empty in a self-made build. */
export const releaseKey: string = typeof RELEASE_KEY === 'string' ? RELEASE_KEY : ''

/** The keys that this agent trusts. Empty: none of this kind. */
export interface UpdateKeys {
  release: string
  /** That of the server that the agent enrolled with. */
  installation: string
}

/** Whether a signature of one of these keys is on the manifest. */
function isSignedBy(manifest: AgentManifest, key: string, signature: string | undefined): boolean {
  if (key === '' || !signature) return false
  try {
    const spki = createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' })
    return (
      spki.asymmetricKeyType === 'ed25519' &&
      verify(null, Buffer.from(toSignedText(manifest)), spki, Buffer.from(signature, 'base64'))
    )
  } catch {
    return false
  }
}

/**
 * Why an update must not be taken; undefined if it may. A host that keeps its server from running things takes only what the release has signed: the key
 * of the installation is on the server.
 */
export function distrusts(manifest: AgentManifest, keys: UpdateKeys, isLocked: boolean): string | undefined {
  const { release, installation } = manifest.signatures ?? {}
  if (isSignedBy(manifest, keys.release, release)) return undefined
  if (isLocked)
    return 'this host takes only updates that the release has signed (disable_command_execute or watch_only)'
  return isSignedBy(manifest, keys.installation, installation)
    ? undefined
    : 'the new agent is not signed by a key that this agent trusts; run the install command again'
}
