import { collectCommandOf } from '@qd/protocol/collectors'
import type { Machine } from './machines.ts'
import { noiseOf } from './noise.ts'

const collect = collectCommandOf('filesystems')
const block = 4096
/** Bytes of disk for each inode, as ext4 makes them. */
const perInode = 16_384
const boot = 2 ** 30

/** Where a kind of server keeps its data: on a disk of its own, which has most of the space. */
const dataOf: Readonly<Record<string, string>> = {
  backup: '/srv/backup',
  ci: '/var/lib/runner',
  db: '/var/lib/postgresql',
  logs: '/var/log',
  metrics: '/var/lib/prometheus',
}

/** The file systems of the demo’s servers. Their sum is the server’s disk. Answers a command about them; null for any other command. */
export function answerFilesystems(machine: Machine, command: string, at: number): string | null {
  if (command !== collect) return null
  const { id, kind, host } = machine
  const { disk_used } = machine.sampleAt(at)
  const isPhysical = kind === 'db'
  const data = dataOf[kind]
  const [first, second] = isPhysical ? ['nvme0n1', 'nvme1n1'] : ['vda', 'vdb']
  const part = (drive: string, number: number) => `${drive}${isPhysical ? 'p' : ''}${number}`
  const rest = { size: host.disk_total - boot, used: disk_used - boot / 4 }
  const root = data ? { size: 0.06 * rest.size, used: Math.min(0.05 * rest.size, 0.1 * rest.used) } : rest
  const listed = [
    { path: '/', type: 'ext4', source: `/dev/${part(first!, 2)}`, device: '254:2', ...root },
    { path: '/boot', type: 'ext4', source: `/dev/${part(first!, 1)}`, device: '254:1', size: boot, used: boot / 4 },
    ...(data
      ? [
          {
            ...{ path: data, type: 'xfs', source: `/dev/${part(second!, 1)}`, device: '254:17' },
            ...{ size: rest.size - root.size, used: rest.used - root.used },
          },
        ]
      : []),
    {
      path: '/run',
      type: 'tmpfs',
      source: 'tmpfs',
      device: '0:24',
      size: host.mem_total / 10,
      used: 1_500_000 + id * 4096,
    },
  ]
  const mounts = listed.map(
    ({ path, type, source, device }, index) => `${index + 1} ${device} / ${path} rw rw ${type} ${source}`,
  )
  const spaces = listed.map(({ path, size, used }, index) => {
    const blocks = Math.round(size / block)
    const free = Math.max(0, blocks - Math.round(used / block))
    const inodes = Math.round(size / perInode)
    const busy = Math.round(inodes * (0.02 + 0.2 * noiseOf(id, 20 + index)))
    return `${block} ${blocks} ${free} ${free} ${inodes} ${inodes - busy} ${path}`
  })
  // A share that doesn’t respond: it’s listed, but says nothing.
  if (machine.name === 'ci-fra-2') mounts.push('9 0:51 / /mnt/artifacts rw rw nfs4 nas-1:/artifacts')
  const drives = [first, ...(data ? [second] : [])].flatMap((name, index) => {
    const size = index === 1 ? rest.size - root.size : root.size + boot
    const about = `SIZE="${Math.round(size)}" ROTA="0" MODEL="${isPhysical ? 'Simulated NVMe' : ''}"`
    const parts = index === 1 ? [1] : [1, 2]
    return [
      `NAME="${name}" KNAME="${name}" PKNAME="" MAJ:MIN="254:${index * 16}" TYPE="disk" ${about}`,
      ...parts.map((number) => {
        const kernel = part(name!, number)
        return `NAME="${kernel}" KNAME="${kernel}" PKNAME="${name}" MAJ:MIN="254:${index * 16 + number}" TYPE="part" ${about}`
      }),
    ]
  })
  const result = 'SMART overall-health self-assessment test result:'
  const health = isPhysical
    ? [first, second].map(
        (name, index) => `drive ${name} ${result} ${machine.name === 'db-fra-2' && index === 1 ? 'FAILED!' : 'PASSED'}`,
      )
    : []
  return ['#@ mounts', ...mounts, '#@ calm', ...spaces, '#@ answers', ...health, '#@ drives', ...drives, ''].join('\n')
}
