import type { Machine } from './machines.ts'
import { noiseOf, wander } from './noise.ts'

interface Outage {
  readonly ago: number
  readonly hours: number
  readonly part: number
}

/** The ID is the position, from 1. */
export interface SimulatedService {
  readonly name: string
  readonly type: 1 | 2 | 3
  readonly target: string
  readonly delay: number
  readonly from: string
  readonly outages?: readonly Outage[]
  readonly certificateDays?: number
  readonly values?: Readonly<Record<string, unknown>>
}

export const services: readonly SimulatedService[] = [
  { name: 'website', type: 1, target: 'https://www.example.com', delay: 46, from: 'edge', certificateDays: 71 },
  {
    name: 'api',
    type: 1,
    target: 'https://api.example.com/health',
    delay: 58,
    from: 'edge',
    certificateDays: 71,
    outages: [{ ago: 18.3 * 24, hours: 1.2, part: 0.6 }],
  },
  {
    name: 'sign-in',
    type: 1,
    target: 'https://id.example.com/ready',
    delay: 172,
    from: 'edge',
    certificateDays: 44,
    outages: [
      { ago: 23.1 * 24, hours: 2, part: 0.4 },
      { ago: 7.4 * 24, hours: 1.5, part: 0.5 },
    ],
    values: { latency_notify: true, max_latency: 600 },
  },
  {
    name: 'checkout',
    type: 1,
    target: 'https://pay.example.com/health',
    delay: 94,
    from: 'edge',
    certificateDays: 19,
    outages: [{ ago: 11.6 * 24, hours: 3.1, part: 0.95 }],
  },
  { name: 'docs', type: 1, target: 'https://docs.example.com', delay: 39, from: 'edge', certificateDays: 71 },
  {
    name: 'shop database',
    type: 3,
    target: 'db-fra-1.example.net:5432',
    delay: 2.1,
    from: 'api',
    values: { hide_for_guest: true },
  },
  { name: 'message queue', type: 3, target: 'queue.example.net:5672', delay: 3.4, from: 'worker' },
  {
    name: 'mail in',
    type: 3,
    target: 'mx1.example.com:25',
    delay: 21,
    from: 'edge',
    outages: [{ ago: 20.7 * 24, hours: 2.2, part: 0.7 }],
  },
  {
    name: 'cache',
    type: 3,
    target: 'cache.example.net:6379',
    delay: 0.9,
    from: 'api',
    values: { hide_for_guest: true },
  },
  {
    name: 'resolver a',
    type: 2,
    target: '192.0.2.53',
    delay: 7,
    from: 'edge',
    outages: [{ ago: 27.2 * 24, hours: 0.8, part: 0.6 }],
  },
  { name: 'resolver b', type: 2, target: '203.0.113.53', delay: 11, from: 'edge' },
  { name: 'office gateway', type: 2, target: '198.51.100.1', delay: 24, from: 'mail' },
]

export const reportersOf = (service: SimulatedService, machines: readonly Machine[]): readonly Machine[] =>
  machines.filter(({ kind, offlineSince }) => kind === service.from && offlineSince === null)

export const checkEverySeconds = 30

/** In ms; null if the check failed. */
export function delayOf(
  service: SimulatedService,
  machine: Pick<Machine, 'id'>,
  at: number,
  start: number,
): number | null {
  const { name, delay, outages = [] } = service
  const seed = name.length * 97 + machine.id
  const hoursAgo = (start - at) / 3_600_000
  const outage = outages.find(({ ago, hours }) => hoursAgo <= ago && hoursAgo > ago - hours)
  if (outage && noiseOf(seed + 500, Math.floor(at / 30_000)) < outage.part) return null
  const distance = 0.7 + (machine.id % 7) * 0.13
  return delay * distance * (0.9 + 0.2 * wander(seed, at, 3_600_000) + 0.12 * noiseOf(seed, Math.floor(at / 30_000)))
}

export function checkAnswer(target: string, machine: Machine, at: number, start: number) {
  const service = services.find((one) => one.target === target)
  if (!service) return { data: simulatedTarget, delay: 0, successful: false }
  const delay = delayOf(service, machine, at, start)
  if (delay === null) return { data: 'connection timed out', delay: 0, successful: false }
  const certificate = certificateOf(service, start)
  const data = certificate
    ? `${certificate.issuer}|${new Date(certificate.expiresAt).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`
    : ''
  return { data, delay, successful: true }
}

export function certificateOf({ certificateDays }: SimulatedService, start: number) {
  if (certificateDays === undefined) return null
  const ends = start + certificateDays * 86_400_000
  return { issuer: 'Example Trust R3', expiresAt: ends - (ends % 3_600_000) }
}

const simulatedTarget = 'this is a demo: its simulated servers check only the demo’s own services'
