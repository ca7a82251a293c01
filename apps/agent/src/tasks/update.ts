import { createHash, createPublicKey, verify } from 'node:crypto'
import { type AgentManifest, agentPaths, toSignedText } from '@qd/protocol/agent-update'
import { progressType, taskType } from '@qd/protocol/task-types'
import { lockOf, type Settings } from '../config/settings.ts'
import { isSingleFile } from '../config/single-file.ts'
import type { Machine, OwnProgram } from '../machine/machine.ts'
import { toReason } from '../wire/rpc.ts'
import { refuse, type TaskConnection, type TaskHandler } from '../wire/runner.ts'

/** What an update needs. */
export interface UpdateParts {
  machine: Pick<Machine, 'download' | 'log'>
  settings: Settings
  /** The agent's own version. */
  version: string
  /** undefined if neither a supervisor nor a service manager would start the agent again. */
  program: OwnProgram | undefined
  /** Whose signature makes a bundle one of a release. Default: that of this build. */
  releaseKey?: string
}

const maxManifestBytes = 65_536
const maxBundleBytes = 64 * 2 ** 20

/** Throws if this process couldn’t end now. */
const refuseHeld = (program: OwnProgram) => {
  if (program.isHeld())
    throw new Error(
      'a file system, device, or name server of this host doesn’t respond, so this agent could not restart',
    )
}

const parseManifest = (bytes: Uint8Array): AgentManifest => {
  const { version, sha256, size, signatures } = JSON.parse(Buffer.from(bytes).toString()) as Partial<AgentManifest>
  const isRight = /^[\w.+-]{1,64}$/.test(version ?? '') && /^[\da-f]{64}$/.test(sha256 ?? '') && Number.isInteger(size)
  if (!isRight) throw new Error('the server returned an invalid agent manifest')
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  const { installation, release } = signatures ?? {}
  return {
    ...{ version: String(version), sha256: String(sha256), size: Number(size) },
    signatures: { installation: text(installation), release: text(release) },
  }
}

/** Task 6, from our server: fetches its agent, checks it, puts it in place and starts it. Source: docs/reference/agent-extensions.md. */
export const createUpdateHandler = ({
  machine,
  settings,
  version,
  program,
  releaseKey: release = releaseKey,
}: UpdateParts): TaskHandler => {
  let isBusy = false

  const fetchNew = async (running: string) => {
    const { server, tls, insecure_tls: insecure } = settings.current
    const fetch = (path: string, maxBytes: number) =>
      machine.download(`${tls ? 'https' : 'http'}://${server}${path}`, maxBytes, insecure)
    const manifest = parseManifest(await fetch(agentPaths.manifest, maxManifestBytes))
    if (manifest.sha256 === running) return undefined
    const keys = { release, installation: settings.updateKey }
    const reason = distrusts(manifest, keys, lockOf(settings) !== null)
    if (reason) throw new Error(reason)
    const bytes = await fetch(agentPaths.bundle, maxBundleBytes)
    if (bytes.length !== manifest.size)
      throw new Error(`the new agent has ${bytes.length} bytes instead of ${manifest.size}`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    if (sha256 !== manifest.sha256)
      throw new Error(`the new agent has the SHA-256 ${sha256} instead of ${manifest.sha256}`)
    return { bytes, to: manifest.version }
  }

  return async (task, { reply, progress }) => {
    // A Nezha server offers no program, and reads this answer as "could not update".
    if (!progress) return reply({})
    if (settings.current.disable_force_update) return refuse({ reply, progress }, 'updatesDisabled')
    if (isSingleFile)
      return reply({ data: 'this agent is a single file; replace it with that of a newer release and restart it' })
    if (!program)
      return reply({
        data: 'nothing would restart this agent; run it with --supervise, or under systemd with --service',
      })
    if (isBusy) return reply({ data: 'another update is in progress' })
    isBusy = true
    try {
      refuseHeld(program)
      const found = await fetchNew(await program.hash())
      if (!found) return reply({ successful: true, data: `${version} is already running` })
      refuseHeld(program)
      const { bytes, to } = found
      await program.replace(bytes, { id: String(task.id), from: version, to })
      progress(progressType.updating, `${version} -> ${to}`)
      machine.log(`updated from ${version} to ${to}; restarting`)
      program.restart()
    } catch (error) {
      machine.log(`no update: ${toReason(error)}`)
      reply({ data: toReason(error) })
    } finally {
      isBusy = false
    }
  }
}

/** Call this with each connection: it reports the result of the update that ended the previous process. */
export const reportUpdate = (program: OwnProgram | undefined, { isOurs, send }: TaskConnection): void => {
  const note = program?.note()
  if (!program || !note) return
  const { id, from, to, failure } = note
  if (isOurs)
    send({ id: BigInt(id), type: taskType.upgrade, successful: !failure, data: failure ?? `${from} -> ${to}` })
  program.dropNote()
}

/** Set by the build of a release (scripts/build.mjs). */
declare const RELEASE_KEY: string | undefined

/** The key whose signature makes a bundle one of a release; empty in a self-made build. */
const releaseKey: string = typeof RELEASE_KEY === 'string' ? RELEASE_KEY : ''

/** The keys that this agent trusts. Empty: none of this kind. */
interface UpdateKeys {
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
