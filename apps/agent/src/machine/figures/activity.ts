import type { AgentConfig } from '../../config/agent-config.ts'
import type { Machine } from '../machine.ts'
import { toCount } from './numbers.ts'

/** Uptime, load, sockets and processes of the machine; undefined for what it doesn’t say, or the settings skip. */
export interface Activity {
  uptimeSec: number | undefined
  loads: readonly [number, number, number] | undefined
  sockets: { tcp: number; udp: number } | undefined
  processes: number | undefined
}

/**
 * Sockets of both IP families in any state, from /proc/net/sockstat and sockstat6; sockets in time-wait are counted apart there.
 * undefined if there is no such file (WSL 1, some sandboxes).
 */
export const parseSockets = (sockstat: string): Activity['sockets'] => {
  const sum = (pattern: RegExp) => [...sockstat.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0)
  if (!/^TCP6?: inuse \d/m.test(sockstat)) return undefined
  return { tcp: sum(/^TCP6?: inuse (\d+)/gm) + sum(/ tw (\d+)/g), udp: sum(/^UDP6?: inuse (\d+)/gm) }
}

/** Seconds since the machine or container started, from /proc/uptime. */
export const parseUptime = (uptime: string): number | undefined => toCount(/^(\d+)(?:\.\d*)?(?:\s|$)/.exec(uptime)?.[1])

/** The three load averages of /proc/loadavg. */
export const parseLoads = (loadavg: string): Activity['loads'] => {
  const [, ...loads] = /^(\d+(?:\.\d+)?) (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)(?:\s|$)/.exec(loadavg) ?? []
  const [load1, load5, load15] = loads.map(Number)
  return load15 === undefined ? undefined : [load1!, load5!, load15]
}

/** The processes among the entries of /proc. Where process 1 is hidden (hidepid), so are those of other users. */
export const countProcesses = (entries: readonly string[]): number | undefined =>
  entries.includes('1') ? entries.filter((name) => /^\d+$/.test(name)).length : undefined

/** Reads uptime, load averages and counts of sockets and processes. */
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
