import { execFile } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type AgentManifest, toSignedText } from '@qd/protocol/agent-update'
import type { Db } from '../../store/db/schema.ts'
import { keptSecret } from '../../store/records/secrets.ts'

const run = promisify(execFile)

/** Whose terminal module it is: that of the agent's own dependencies. */
const scopeName = '@lydell'

/** The built agent, and what may be told of it. */
export interface AgentBundle {
  manifest: AgentManifest
  bytes: Buffer
}

/** What hosts fetch to install or update our agent. */
export interface AgentFiles {
  /** Null if the agent has not been built. */
  bundle(): Promise<AgentBundle | null>
  /** The terminal module as an archive, only for the platform this server runs on; null for any other. */
  terminalModule(platform: string): Promise<Buffer | null>
}

/**
 * Reads the built agent at this path, anew when the file has changed, and signs it; a release's own signature lies beside it in `PATH.sig`.
 * Source: docs/reference/agent-extensions.md.
 */
export function createAgentFiles(path: string, signBundle: (text: string) => string): AgentFiles {
  let known: { stamp: string; bundle: Promise<AgentBundle> } | null = null
  let archive: Promise<Buffer | null> | null = null

  async function read(): Promise<AgentBundle> {
    const bytes = await readFile(path)
    // The bundle alone knows its version: the one that runs may have been built from other sources.
    const { stdout } = await run(process.execPath, [path, '--version'], { timeout: 10_000 })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const about = { version: stdout.trim(), sha256, size: bytes.length }
    const release = (await readFile(`${path}.sig`, 'utf8').catch(() => '')).trim()
    const signatures = { installation: signBundle(toSignedText(about)), ...(release !== '' && { release }) }
    return { bytes, manifest: { ...about, signatures } }
  }

  return {
    async bundle() {
      const found = await stat(path).catch(() => null)
      if (!found?.isFile()) return null
      const stamp = `${found.size}.${found.mtimeMs}`
      if (known?.stamp !== stamp) known = { stamp, bundle: read() }
      return known.bundle.catch((error: unknown) => {
        known = null
        throw error
      })
    },
    async terminalModule(platform) {
      if (platform !== `${process.platform}-${process.arch}`) return null
      archive ??= packTerminalModule(platform)
      return archive
    },
  }
}

/** Packs the terminal module's two packages, below `node_modules`, with the system's `tar`. */
async function packTerminalModule(platform: string): Promise<Buffer | null> {
  const scope = findModules()
  const folders = ['node-pty', `node-pty-${platform}`].map((name) => `node_modules/${scopeName}/${name}`)
  if (scope === null || !folders.every((folder) => existsSync(join(scope, folder)))) return null
  const packed = await run('tar', ['-czf', '-', '-C', scope, ...folders], {
    encoding: 'buffer',
    maxBuffer: 64 * 1024 * 1024,
  }).catch(() => null)
  return packed?.stdout ?? null
}

/** The folder whose `node_modules` holds the terminal module; null if it is not installed. */
export function findModules(): string | null {
  try {
    const main = createRequire(import.meta.url).resolve(`${scopeName}/node-pty/package.json`)
    return dirname(dirname(dirname(dirname(main))))
  } catch {
    return null
  }
}

/** The key by which this installation signs the agent that it offers. */
export interface UpdateKey {
  /** Base64 of SPKI, as agents pin it. */
  readonly publicKey: string
  /** An Ed25519 signature, base64. */
  sign(text: string): string
}

/** The installation’s key, made at the first start. */
export async function createUpdateKey(db: Db): Promise<UpdateKey> {
  const pem = await keptSecret(db, 'update-key', () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  )
  const key = createPrivateKey(pem)
  return {
    publicKey: createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64'),
  }
}
