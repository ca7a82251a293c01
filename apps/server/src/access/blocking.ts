import { AppError } from '@qd/core/errors'
import type { Caller } from '../kernel/caller.ts'
import { isWithin, overlaps, rangesOf } from '../kernel/net/address-ranges.ts'
import { texts } from '../kernel/texts.ts'
import type { Firewall, Protection } from './firewall.ts'
import type { Sockets } from './sockets.ts'

const protectionTexts: Readonly<Record<Protection | 'self', string>> = {
  self: texts.blockSelf,
  everybody: texts.blockEverybody,
  machine: texts.blockMachine,
  proxy: texts.blockProxy,
  allowed: texts.blockAllowed,
}

/** Throws `blocked` if blocking these targets would lock out the caller, the host, a proxy, an allowed address or a large part of the internet (S-52, N-10). */
export function demandBlockable(
  firewall: Pick<Firewall, 'protects'>,
  targets: readonly string[],
  { address }: Caller,
): void {
  for (const target of targets) {
    const reason = overlaps(target, address) ? 'self' : firewall.protects(target)
    if (reason !== null)
      throw new AppError('blocked', { resource: 'waf', reason, address: target, text: protectionTexts[reason] })
  }
}

export async function blockTarget(
  { firewall, sockets }: { firewall: Firewall; sockets: Sockets },
  target: string,
  options: { until: number | null; note: string },
): Promise<void> {
  await firewall.block(target, options)
  const range = rangesOf([target])
  sockets.endAddresses((address) => isWithin(address, range), 'blocked')
}
