import { isIP } from 'node:net'
import { textParts } from '@qd/core/i18n'

export function plainHost(text: string): string {
  try {
    return new URL(`http://${text.trim()}`).hostname.replace(/\.+$/, '').replace(/^\[(.*)\]$/, '$1')
  } catch {
    return ''
  }
}

/** Names that a NAT profile must not take: the console's own, `localhost`, and IP addresses (contract engines 7, behaviour S-45). */
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

export function ownHosts(
  { install_host, dashboard_host, reserved_hosts }: OwnNames,
  listensOn: string,
): readonly string[] {
  const listed = [install_host, dashboard_host, ...textParts(reserved_hosts), listensOn]
  return listed.map((one) => one.trim()).filter(Boolean)
}
