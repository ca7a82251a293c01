import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Db } from '../../store/db/schema.ts'
import { keptSecret } from '../../store/records/secrets.ts'

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
