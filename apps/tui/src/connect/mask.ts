import { resources } from '@qd/core/resources'

const hidden = '••••••'

/** Names of values that are never shown: every field of the kind `secret`, and what a sign-in carries. */
const secretFields = new Set(
  resources.flatMap(({ fields }) => Object.keys(fields).filter((name) => fields[name]!.kind === 'secret')),
)
const secretNames = new Set(['password', 'token', ...secretFields])

/** True for the name of a field that holds a secret: its flag takes a file instead of the value. */
export function isSecretField(name: string): boolean {
  return secretFields.has(name)
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
