/** Names of the machines; the groups bear the first word. Ids count from 1 in this order. */
export const names = [
  ...['cache-1', 'cache-2', 'db-ap-1', 'db-eu-1', 'db-eu-2', 'db-us-1', 'db-us-2'],
  ...['edge-fra-1', 'edge-fra-2', 'edge-nrt-1', 'edge-nrt-2', 'edge-sin-1', 'edge-sjc-1', 'edge-sjc-2'],
  ...['mail-1', 'mail-2', 'queue-1', 'queue-2'],
  ...Array.from({ length: 12 }, (_, index) => `web-${index + 1}`),
  ...['build-1', 'build-2', 'ci-1', 'lab-1', 'lab-2', 'lab-3', 'logs-1', 'metrics-1', 'proxy-1', 'vpn-1'],
]

/** The uuid of the agent on the machine at this place. */
export const uuidOf = (place: number): string => `00000000-0000-4000-8000-${String(place + 1).padStart(12, '0')}`

export const gigabyte = 1_000_000_000

/** The machine that is short of memory until somebody helps it. */
export const tight = 'cache-2'

/** Whole numbers below `most`, the same in every run. */
function createRandom(seed: number): (most: number) => number {
  let state = seed * 7919 + 1
  return (most) => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
}

/** What a machine is like; web-3 is short of processor, db-eu-2 of disk, the caches of memory. */
function baseOf(name: string, random: (most: number) => number) {
  const isShort = name === 'web-3'
  return {
    cpu: [5 + random(55), 95][Number(isShort)]!,
    /** How far the processor wanders, against others. */
    wander: isShort ? 0.3 : 1,
    memory: [0.3 + random(40) / 100, 0.79][Number(name.startsWith('cache'))]!,
    disk: { 'db-eu-2': 0.93, 'db-eu-1': 0.78 }[name] ?? 0.15 + random(50) / 100,
    network: 200_000 + random(90_000_000),
    uptime: 20_000 + random(18_000_000),
    moved: 1e11 + random(1e9) * 1000,
  }
}

/** Figures of now that wander around values of the machine's own, `seconds` after the start. */
export function createSampler(name: string, index: number) {
  const random = createRandom(index + 1)
  const { cpu, wander, memory, disk, network, uptime, moved } = baseOf(name, random)
  return (seconds: number, isTight: boolean) => ({
    cpu: Math.min(99, Math.max(1, cpu + wander * (random(9) - 4 + 5 * Math.sin((seconds + index * 9) / 16)))),
    mem_used: BigInt(Math.round(16 * gigabyte * ((isTight && name === tight ? 0.93 : memory) + random(20) / 1000))),
    swap_used: BigInt(random(200) * 1_000_000),
    disk_used: BigInt(Math.round(160 * gigabyte * disk)),
    net_in_speed: BigInt(Math.round(network * (0.9 + random(200) / 1000))),
    net_out_speed: BigInt(Math.round(network * 1.3 * (0.9 + random(200) / 1000))),
    net_in_transfer: BigInt(moved + network * seconds),
    net_out_transfer: BigInt(moved + network * seconds * 2),
    uptime: BigInt(uptime + seconds),
    load1: cpu / 13,
    load5: cpu / 15,
    load15: cpu / 18,
    tcp_conn_count: BigInt(80 + random(40)),
    udp_conn_count: 12n,
    process_count: BigInt(180 + random(8)),
  })
}

const minute = 60
const day = 86_400

/** When machines were busier than they are, in minutes ago. */
const rushes = [
  { name: 'web-1', from: 44, to: 41, load: 7.1 },
  { name: 'web-2', from: 44, to: 42, load: 6.9 },
  { name: 'queue-1', from: 40, to: 36, load: 8.4 },
  ...['build-1', 'build-2', 'ci-1', 'metrics-1'].map((name) => ({ name, from: 30, to: 26, load: 3.2 })),
]
/** Since when web-3 is short of processor, in minutes. */
const shortFor = 21

/** What a machine measured so many seconds ago: busier by day, fuller with time. */
export function createPast(name: string, index: number) {
  const { cpu, memory, disk, network, uptime, moved } = baseOf(name, createRandom(index + 1))
  return (age: number) => {
    const noise = (kind: number) => noiseOf(index * 17 + kind, Math.floor(age / 20))
    const slow = Math.sin(age / (9000 + index * 40)) + Math.sin(age / (1900 + index * 30)) / 2
    const daylight = 1 + 0.35 * Math.sin((age / day) * 2 * Math.PI)
    const rush = rushes.find((one) => one.name === name && age <= one.from * minute && age > one.to * minute)
    const usual = name === 'web-3' && age > shortFor * minute ? 58 : cpu
    const busy = rush || (name === 'web-3' && usual === cpu)
    const spent = busy ? 94 + noise(0) * 4 : Math.min(88, Math.max(1, usual * daylight + 6 * slow + 8 * noise(0) - 4))
    const load = rush?.load ?? spent / 15
    const speed = network * daylight * (0.8 + 0.4 * noise(1)) * (1 + slow / 6)
    return {
      cpu: spent,
      mem_used: 16 * gigabyte * (memory + 0.02 * slow + noise(2) / 50),
      swap_used: 90_000_000 + 40_000_000 * slow,
      disk_used: 160 * gigabyte * (disk - Math.min(disk / 2, (age / day) * 0.004)),
      net_in_speed: speed,
      net_out_speed: speed * 1.3,
      net_in_transfer: Math.max(0, moved - network * age),
      net_out_transfer: Math.max(0, moved - network * age * 2),
      uptime: Math.max(0, uptime - age),
      load_1: load * (0.9 + 0.2 * noise(3)),
      load_5: load,
      load_15: load * 0.9,
      tcp_conn_count: Math.round(80 + 40 * noise(4)),
      udp_conn_count: 12,
      process_count: Math.round(180 + 8 * noise(5)),
    }
  }
}

/** Between 0 and 1, the same for the same numbers. */
export function noiseOf(seed: number, step: number): number {
  const mixed = Math.imul(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(step + 1, 0x85ebca6b), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}
