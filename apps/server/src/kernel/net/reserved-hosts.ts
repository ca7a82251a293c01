import { isIP } from 'node:net'
import { textParts } from '@qd/core/i18n'

/** A host without its port, in small letters and ASCII, without the dot at the end, an address in its usual form; empty for what is none. */
export function plainHost(text: string): string {
  try {
    return new URL(`http://${text.trim()}`).hostname.replace(/\.+$/, '').replace(/^\[(.*)\]$/, '$1')
  } catch {
    return ''
  }
}

/**
 * True for a name that a NAT profile must not take: it would take the console's place. These are the names of the console itself, in every
 * spelling, this machine's own name `localhost`, and every address. Source: contract engines 7, behaviour S-45.
 */
export function isReservedHost(text: string, own: readonly string[]): boolean {
  const host = plainHost(text)
  if (host === '' || isIP(host) !== 0 || host === 'localhost' || host.endsWith('.localhost')) return true
  return own.some((one) => plainHost(one) === host)
}

interface OwnNames {
  readonly install_host: string
  readonly dashboard_host: string
  readonly reserved_hosts: string
}

/** The console's own names: what agents connect to, what people open, what it listens on, and the list `reserved_hosts` of the settings. */
export function ownHosts(
  { install_host, dashboard_host, reserved_hosts }: OwnNames,
  listensOn: string,
): readonly string[] {
  const listed = [install_host, dashboard_host, ...textParts(reserved_hosts), listensOn]
  return listed.map((one) => one.trim()).filter(Boolean)
}
