import { AppError } from '@qd/core/errors'
import type { Caller } from '../kernel/caller.ts'
import { isWithin, overlaps, rangesOf } from '../kernel/net/address-ranges.ts'
import { texts } from '../kernel/texts.ts'
import type { Also } from '../store/records/commit.ts'
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

/** `also` runs in the transaction of the change. */
export async function blockTargets(
  { firewall, sockets }: { firewall: Firewall; sockets: Sockets },
  targets: readonly string[],
  options: { until: number | null; note: string },
  also: Also<unknown>,
): Promise<void> {
  await firewall.block(targets, options, also)
  const range = rangesOf(targets)
  sockets.endAddresses((address) => isWithin(address, range), 'blocked')
}
