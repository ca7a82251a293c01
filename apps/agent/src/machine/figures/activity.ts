import type { AgentConfig } from '../../config/agent-config.ts'
import type { Machine } from '../machine.ts'
import { toCount } from './numbers.ts'

/** Undefined: unknown, or skipped by the settings. */
export interface Activity {
  uptimeSec: number | undefined
  loads: readonly [number, number, number] | undefined
  sockets: { tcp: number; udp: number } | undefined
  processes: number | undefined
}

/** Sockets of both families from /proc/net/sockstat and sockstat6, which count time-wait separately. WSL 1 and some sandboxes lack the files. */
export const parseSockets = (sockstat: string): Activity['sockets'] => {
  const sum = (pattern: RegExp) => [...sockstat.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0)
  if (!/^TCP6?: inuse \d/m.test(sockstat)) return undefined
  return { tcp: sum(/^TCP6?: inuse (\d+)/gm) + sum(/ tw (\d+)/g), udp: sum(/^UDP6?: inuse (\d+)/gm) }
}

export const parseUptime = (uptime: string): number | undefined => toCount(/^(\d+)(?:\.\d*)?(?:\s|$)/.exec(uptime)?.[1])

export const parseLoads = (loadavg: string): Activity['loads'] => {
  const [, ...loads] = /^(\d+(?:\.\d+)?) (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)(?:\s|$)/.exec(loadavg) ?? []
  const [load1, load5, load15] = loads.map(Number)
  return load15 === undefined ? undefined : [load1!, load5!, load15]
}

/** With hidepid, other users' processes are hidden, and so is process 1. */
export const countProcesses = (entries: readonly string[]): number | undefined =>
  entries.includes('1') ? entries.filter((name) => /^\d+$/.test(name)).length : undefined

export const readActivity = async (
  machine: Machine,
  skip: Pick<AgentConfig, 'skip_connection_count' | 'skip_procs_count'>,
): Promise<Activity> => {
  const socketCounts = (path: string) => (skip.skip_connection_count ? '' : machine.read(path))
  const [uptime, loadavg, sockets4, sockets6, entries] = await Promise.all([
    machine.read('/proc/uptime'),
    machine.read('/proc/loadavg'),
    socketCounts('/proc/net/sockstat'),
    socketCounts('/proc/net/sockstat6'),
    skip.skip_procs_count ? [] : machine.list('/proc'),
  ])
  return {
    uptimeSec: parseUptime(uptime),
    loads: parseLoads(loadavg),
    sockets: parseSockets(`${sockets4}\n${sockets6}`),
    processes: countProcesses(entries),
  }
}
