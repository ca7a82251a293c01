import * as z from 'zod'

/** What no name of a host holds, and a URL would read as something else. */
const notInHost = /[\s/?#@:%\\[\]<>^|"`{}]/

/**
 * A domain as it is on the wire: small letters, international names in ASCII (`münchen.example` is `xn--mnchen-3ya.example`), no dot at
 * the end. Null for a text that is none. Source: WHATWG URL, "domain to ASCII".
 */
export function asciiDomain(text: string): string | null {
  if (text === '' || notInHost.test(text)) return null
  try {
    const host = new URL(`http://${text}/`).hostname.replace(/\.$/, '')
    return host.length > 253 || host.split('.').some((label) => label === '' || label.length > 63) ? null : host
  } catch {
    return null
  }
}

/** Most domains of one profile. */
export const maxDomains = 200

/** A domain, kept in ASCII. */
export const domain = z
  .string()
  .max(1000)
  .transform((typed, context) => {
    const text = typed.trim()
    const ascii = asciiDomain(text)
    if (ascii !== null) return ascii
    context.addIssue({ code: 'custom', params: { code: 'notDomain', text: text.slice(0, 100) } })
    return z.NEVER
  })
