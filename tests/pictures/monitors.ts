import { writeMadePast } from '@qd/server/demo/write-history'
import { createPast, names, noiseOf } from './machines.ts'

/** A time in which some of the probes failed, in hours ago. `part`: how many of them, of 1. */
interface Outage {
  readonly ago: number
  readonly hours: number
  readonly part: number
}

/** A monitor of the pictures; ids count from 1 in this order. */
interface Monitor {
  readonly name: string
  /** Of core's `ServiceType`. */
  readonly type: number
  readonly target: string
  /** What is usual, in ms. */
  readonly delay: number
  /** The servers that look; none: all but those that do not answer. */
  readonly only?: readonly string[]
  readonly outages?: readonly Outage[]
  readonly values?: Readonly<Record<string, unknown>>
}

const edges = ['edge-fra-1', 'edge-fra-2', 'edge-nrt-2', 'edge-sin-1', 'edge-sjc-1']
const webs = ['web-1', 'web-2', 'web-4', 'web-6', 'web-7', 'web-8']
/** Since when resolver b does not answer, in hours. */
const downFor = 54
const downTarget = '198.51.100.54'

/** Sites, ports and hosts that the fleet looks at. */
export const monitors: readonly Monitor[] = [
  {
    name: 'api-public',
    type: 1,
    target: 'https://api.example.net/health',
    delay: 42,
    outages: [{ ago: 440, hours: 1, part: 0.6 }],
  },
  { name: 'www', type: 1, target: 'https://www.example.net', delay: 38 },
  {
    name: 'login',
    type: 1,
    target: 'https://id.example.net/ready',
    delay: 412,
    only: webs,
    outages: [24 * 23, 24 * 7, 9].map((ago) => ({ ago, hours: 2, part: 0.4 })),
    values: { latency_notify: true, max_latency: 300 },
  },
  {
    name: 'checkout',
    type: 1,
    target: 'https://pay.example.net/health',
    delay: 88,
    only: edges,
    outages: [{ ago: 24 * 11, hours: 3, part: 0.9 }],
  },
  {
    name: 'db-eu writer',
    type: 3,
    target: '192.0.2.11:5432',
    delay: 2,
    only: webs.slice(0, 3),
    values: { hide_for_guest: true },
  },
  {
    name: 'mail in',
    type: 3,
    target: 'mail.example.net:25',
    delay: 19,
    only: edges.slice(0, 3),
    outages: [24 * 21, 24 * 20].map((ago) => ({ ago, hours: 2, part: 0.5 })),
  },
  { name: 'resolver a', type: 2, target: '198.51.100.53', delay: 8 },
  {
    name: 'resolver b',
    type: 2,
    target: downTarget,
    delay: 9,
    only: edges,
    outages: [
      { ago: 24 * 16, hours: 2, part: 0.5 },
      { ago: downFor, hours: downFor, part: 1 },
    ],
  },
]

/** What an agent says of a probe. `place`: its machine's place among the names. */
export function probeOutcome(wanted: string, place: number) {
  const monitor = monitors.find(({ target }) => target === wanted)
  if (!monitor || wanted === downTarget) return { data: 'no answer within 5 s', successful: false, delay: 0 }
  const certificate = monitor.type === 1 ? 'Example Trust R3|2027-02-18 09:00:00 +0000 UTC' : ''
  return { data: certificate, successful: true, delay: farther(monitor.delay, place) }
}

/** Some machines are farther away than others. */
const farther = (delay: number, place: number) => delay * (0.85 + (place % 7) * 0.06)

/** Writes what all machines and monitors measured into a new file. */
export async function writeFleetPast(file: string, days: number): Promise<void> {
  const now = Date.now()
  const ageOf = (at: number) => (now - at) / 1000
  const servers = names.map((name, index) => {
    const sample = createPast(name, index)
    return { serverId: index + 1, sampleAt: (at: number) => sample(ageOf(at)) }
  })
  const probes = monitors.flatMap((monitor, index) =>
    (monitor.only ?? webs.slice(0, 4)).map((name) => ({
      serviceId: index + 1,
      serverId: names.indexOf(name) + 1,
      delayAt: (at: number) => delayOf(monitor, names.indexOf(name), ageOf(at)),
    })),
  )
  await writeMadePast(file, { now, days, timeZone: 'UTC', servers, probes })
}

/** The delay that a monitor had so many seconds ago, seen from one machine; null if it failed. */
function delayOf({ delay, outages = [], name }: Monitor, place: number, age: number): number | null {
  const noise = (kind: number) => noiseOf(name.length * 31 + place + kind, Math.floor(age / 30))
  const hours = age / 3600
  const outage = outages.find((one) => hours <= one.ago && hours > one.ago - one.hours)
  if (outage && noise(500) < outage.part) return null
  const wave = 1 + 0.12 * Math.sin(hours / 2.3 + place) + 0.06 * Math.sin(hours * 1.7 + place * 3)
  return farther(delay, place) * wave * (0.94 + 0.12 * noise(0))
}
