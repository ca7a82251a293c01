import { GeoIP, type IP } from '@qd/protocol/agent'

/** Sends a report of addresses and returns the server's answer. */
export type SendGeo = (report: GeoIP) => Promise<GeoIP>

/** Keeps the server informed of the machine's addresses; lives as long as the agent, over all connections. */
export interface Geo {
  /** Call this with every boot time that the server sends: a new boot time means that the server has lost our addresses. */
  onServerBoot(bootTime: bigint): void
  /** Looks up and reports in the background when it is time to; never throws, never runs twice at once. */
  reportWhenDue(send: SendGeo): void
  /** Makes the next report due at once, even if the addresses are the same. */
  forget(): void
}

/** Source: agent contract 2.4, 2.5. `find` looks the addresses up; a failed report is tried again after `retryMs`. */
export const createGeo = (options: {
  find(): Promise<IP>
  now(): number
  periodMs(): number
  /** Whether the country is that of the IPv6 address. */
  use6(): boolean
  retryMs?: number
}): Geo => {
  const { find, now, periodMs, use6, retryMs = 5_000 } = options
  let serverBoot = 0n
  let isReported = false
  let isBusy = false
  let dueAt = Number.NEGATIVE_INFINITY
  let last = ''

  const report = async (send: SendGeo): Promise<void> => {
    const wasReported = isReported
    const ip = await find()
    const key = `${ip.ipv4} ${ip.ipv6}`
    if (!(wasReported && key === last)) {
      const answer = await send(GeoIP.create({ ip, use6: use6() }))
      serverBoot = answer.dashboard_boot_time
      isReported = true
      last = key
    }
    dueAt = now() + periodMs()
  }
  return {
    forget() {
      isReported = false
      dueAt = Number.NEGATIVE_INFINITY
    },
    onServerBoot(bootTime) {
      isReported &&= serverBoot !== 0n && bootTime === serverBoot
      serverBoot = bootTime
      if (!isReported) dueAt = Number.NEGATIVE_INFINITY
    },
    reportWhenDue(send) {
      if (isBusy || now() < dueAt) return
      isBusy = true
      dueAt = now() + retryMs
      void report(send)
        .catch(() => undefined)
        .finally(() => {
          isBusy = false
        })
    },
  }
}
