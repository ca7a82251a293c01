import { GeoIP, type IP } from '@qd/protocol/agent'

export type SendGeo = (report: GeoIP) => Promise<GeoIP>

export type Geo = ReturnType<typeof createGeo>

export const createGeo = (options: {
  find(): Promise<IP>
  now(): number
  periodMs(): number
  use6(): boolean
  retryMs?: number
}) => {
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
    /** Makes a report due, even with the same addresses. */
    forget(): void {
      isReported = false
      dueAt = Number.NEGATIVE_INFINITY
    },
    /** A new boot time means that the server has lost our addresses. */
    onServerBoot(bootTime: bigint): void {
      isReported &&= serverBoot !== 0n && bootTime === serverBoot
      serverBoot = bootTime
      if (!isReported) dueAt = Number.NEGATIVE_INFINITY
    },
    /** Runs in the background; never throws, never concurrently. */
    reportWhenDue(send: SendGeo): void {
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
