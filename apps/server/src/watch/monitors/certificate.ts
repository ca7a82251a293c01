export interface Certificate {
  readonly issuer: string
  readonly expiresAt: number
}

/** Known certificates per service: a site behind several hosts may show several. */
const maxKnown = 8
/** Notice period before expiry (contract engines 2.7). */
export const expiryNoticeMs = 7 * 86_400_000
/** Prefix of older agents for certificate errors. */
const errorPrefix = 'SSL证书错误：'

/** Reads `issuer|2030-01-02 03:04:05 +0000 UTC`. */
export function readCertificate(data: string): Certificate | null {
  const [issuer = '', ends] = data.split('|')
  if (ends === undefined) return null
  const [, day, time, sign, hours, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-])(\d\d)(\d\d)\b/.exec(ends.trim()) ?? []
  const expiresAt = Date.parse(`${day}T${time}${sign}${hours}:${minutes}`)
  return Number.isNaN(expiresAt) ? null : { issuer, expiresAt }
}

/** Adds a certificate. `replaced`: the previous one, if both issuer and expiry differ. */
export function meetCertificate(
  known: readonly Certificate[],
  met: Certificate,
): { known: readonly Certificate[]; replaced: Certificate | null } {
  const isMet = ({ issuer, expiresAt }: Certificate) => issuer === met.issuer && expiresAt === met.expiresAt
  const last = known.at(-1)
  if (last && isMet(last)) return { known, replaced: null }
  const isNew = !known.some(isMet)
  const isOther = last !== undefined && last.issuer !== met.issuer && last.expiresAt !== met.expiresAt
  return {
    known: [...known.filter((other) => !isMet(other)).slice(1 - maxKnown), met],
    replaced: isNew && isOther ? last : null,
  }
}

/** An older agent's certificate error. An unreachable site is none. */
export function certificateError(data: string): string | null {
  return data.startsWith(errorPrefix) && !/(timeout|EOF|timed out)$/.test(data) ? data : null
}

export const expiryText = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
