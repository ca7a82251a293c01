/** A certificate as a reporter saw it. `expiresAt`: epoch ms. */
export interface Certificate {
  readonly issuer: string
  readonly expiresAt: number
}

/** Certificates of a site that are remembered: sites behind several machines show several. */
const maxKnown = 8
/** A certificate is spoken of this long before it ends (contract engines 2.7). */
export const expiryNoticeMs = 7 * 86_400_000
/** What older agents put before an error of fetching a certificate. */
const errorPrefix = 'SSL证书错误：'

/** The certificate in the text of a result, `issuer|2030-01-02 03:04:05 +0000 UTC`; null if there is none. */
export function readCertificate(data: string): Certificate | null {
  const [issuer = '', ends] = data.split('|')
  if (ends === undefined) return null
  const [, day, time, sign, hours, minutes] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) ([+-])(\d\d)(\d\d)\b/.exec(ends.trim()) ?? []
  const expiresAt = Date.parse(`${day}T${time}${sign}${hours}:${minutes}`)
  return Number.isNaN(expiresAt) ? null : { issuer, expiresAt }
}

/** The known certificates with this one as the newest, and the one before it where issuer and end are both others. Pure. */
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

/** What an older agent says of a certificate that it could not fetch; an unreachable site is none of it. */
export function certificateError(data: string): string | null {
  return data.startsWith(errorPrefix) && !/(timeout|EOF|timed out)$/.test(data) ? data : null
}

/** `2030-01-02 03:04:05`, UTC. */
export const expiryText = (at: number) => new Date(at).toISOString().slice(0, 19).replace('T', ' ')
