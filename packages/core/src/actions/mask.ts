import type { Resource } from '../define/index.ts'
import { resources } from '../resources/index.ts'

const hidden = '••••••'

const secretsOf = ({ fields }: Resource) => Object.keys(fields).filter((name) => fields[name]!.kind === 'secret')

/** Names of values that are never shown: every field of the kind `secret`, and what a sign-in carries. */
const secretNames = new Set(['password', 'token', ...resources.flatMap(secretsOf)])
/** Those with a flag of `create` and `edit`; a single record with secrets has a command of its own. */
const flaggedNames = new Set(resources.filter(({ wire }) => wire.shape === 'many').flatMap(secretsOf))

/** True for the name of a field whose flag takes a file instead of the value. */
export function isSecretField(name: string): boolean {
  return flaggedNames.has(name)
}

/** A copy of a request's body for people to read: secrets replaced, everything else as it is sent. */
export function maskSecrets(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(maskSecrets)
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      secretNames.has(name) && value !== '' && value !== null ? hidden : maskSecrets(value),
    ]),
  )
}
