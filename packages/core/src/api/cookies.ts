/**
 * Names of contract http-api 2.2. Over HTTPS the session is in `hostToken`, which browsers take from this very host alone: a site on a sibling
 * name can’t plant one. `token` stays good there for sessions that began before, and for programs.
 */
export const cookieNames = { token: 'nz-jwt', hostToken: '__Host-nz-jwt', csrf: 'nz-csrf' } as const

/** The cookies that may hold a session, in the order in which they count. */
export const sessionCookies: readonly string[] = [cookieNames.hostToken, cookieNames.token]

/** Cookies of one host as the client needs them. In a browser: what script may read; deleting an HttpOnly one does nothing. */
export interface Cookies {
  get(name: string): string | null
  delete(name: string): void
}

/** A cookie jar of one host, for programs without a browser's. */
export interface CookieJar extends Cookies {
  /** Takes `Set-Cookie` lines as they came; an expired or emptied cookie goes. */
  store(lines: readonly string[]): void
  /** The value of a `Cookie` header; empty if there are none. */
  header(): string
  /** Name and value of every cookie, to keep in a file. */
  export(): Record<string, string>
}

/** A jar that starts with what `export` gave earlier. Attributes but the lifetime are not looked at: one host, one path, our own calls. */
export function createCookieJar(saved: Readonly<Record<string, string>> = {}): CookieJar {
  const cookies = new Map(Object.entries(saved))
  return {
    get: (name) => cookies.get(name) ?? null,
    delete: (name) => void cookies.delete(name),
    store(lines) {
      for (const line of lines) {
        const [pair = '', ...attributes] = line.split(';')
        const at = pair.indexOf('=')
        if (at < 1) continue
        const name = pair.slice(0, at).trim()
        const value = pair.slice(at + 1).trim()
        if (value === '' || attributes.some(isOver)) cookies.delete(name)
        else cookies.set(name, value)
      }
    },
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    export: () => Object.fromEntries(cookies),
  }
}

function isOver(attribute: string): boolean {
  const [name = '', value = ''] = attribute.split('=').map((part) => part.trim())
  return name.toLowerCase() === 'max-age' && Number(value) <= 0
}

/** The value of one cookie in a `document.cookie` text, or null. */
export function cookieOf(text: string, name: string): string | null {
  const pair = text.split('; ').find((part) => part.startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(name.length + 1)
}
