/** Source: contract http-api 2.2. Over HTTPS the session is in `hostToken`, which sibling hosts can’t plant; `token` remains for older sessions and programs. */
export const cookieNames = { token: 'nz-jwt', hostToken: '__Host-nz-jwt', csrf: 'nz-csrf' } as const

/** The cookies that may hold a session, by priority. */
export const sessionCookies: readonly string[] = [cookieNames.hostToken, cookieNames.token]

/** Cookies of one host. In a browser: those that scripts can read; deleting an HttpOnly one does nothing. */
export interface Cookies {
  get(name: string): string | null
  delete(name: string): void
}

export interface CookieJar extends Cookies {
  /** Stores `Set-Cookie` lines; an expired or emptied cookie is deleted. */
  store(lines: readonly string[]): void
  header(): string
  export(): Record<string, string>
}

/** Restores what `export` returned. Ignores attributes except the lifetime: one host, one path, our own calls. */
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

export function cookieOf(text: string, name: string): string | null {
  const pair = text.split('; ').find((part) => part.startsWith(`${name}=`))
  return pair === undefined ? null : pair.slice(name.length + 1)
}
