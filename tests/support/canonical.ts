/** A decoded message as the recordings write it: 64-bit integers as text, bytes as hex, defaults left out. */
export const toCanonical = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (Array.isArray(value)) return value.map(toCanonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, field]) => [key, toCanonical(field)] as const)
  return Object.fromEntries(entries.filter(([, field]) => !isDefault(field)))
}

const isDefault = (field: unknown): boolean =>
  field === undefined ||
  field === '' ||
  field === 0 ||
  field === '0' ||
  field === false ||
  (Array.isArray(field) && field.length === 0)
