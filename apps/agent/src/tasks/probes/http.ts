import type { Machine, Page } from '../../machine/machine.ts'
import { toErrorText } from './error-text.ts'
import { type Finding, failure } from './probe.ts'

/** Bytes of a body that a probe reads at most, so that a large file does not fill the connection. */
const mostBytes = 16 * 2 ** 20

const headers = { Accept: '*/*', 'Accept-Language': 'en', 'User-Agent': 'quarterdeck-agent' }

/** `R11|2026-03-01 12:00:00 +0000 UTC`: the issuer, and when the certificate ends. Source: agent contract 3.4. */
const toCertificateText = ({ issuer, expiresAt }: NonNullable<Page['certificate']>): string => {
  const [day, time] = expiresAt.toISOString().split(/[T.]/)
  return `${issuer.replaceAll('|', ' ')}|${day} ${time} +0000 UTC`
}

/** An address without the password that it may hold. */
const withoutPassword = (url: URL): string => {
  const shown = new URL(url)
  if (shown.password) shown.password = 'xxxxx'
  return shown.href
}

/** Task 1: GET of a web address; 200 to 399 is good, redirects are not followed. */
export const probeHttp = async (machine: Machine, target: string, timeoutMs: number): Promise<Finding> => {
  const url = URL.canParse(target) ? new URL(target) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return failure('invalid URL: only http and https schemes are supported')
  const startedAt = machine.now()
  try {
    const { status, reason, certificate } = await machine.getPage({ url, headers, mostBytes, timeoutMs })
    const delay = machine.now() - startedAt
    if (status < 200 || status > 399) return { ...failure(`\n应用错误: ${`${status} ${reason}`.trim()}`), delay }
    return { successful: true, delay, ...(certificate && { data: toCertificateText(certificate) }) }
  } catch (error) {
    return failure(`Get "${withoutPassword(url)}": ${toErrorText(error)}`)
  }
}
