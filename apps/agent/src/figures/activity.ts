import type { AgentConfig } from '../config/agent-config.ts'
import type { Machine } from '../machine.ts'

/** Uptime, load, sockets and processes of the machine. */
export interface Activity {
  uptimeSec: number
  loads: [number, number, number]
  tcpSockets: number
  udpSockets: number
  processes: number
}

/** Sockets of both IP families in any state, from /proc/net/sockstat and sockstat6; sockets in time-wait are counted apart there. */
export const parseSockets = (sockstat: string): { tcp: number; udp: number } => {
  const sum = (pattern: RegExp) => [...sockstat.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0)
  return { tcp: sum(/^TCP6?: inuse (\d+)/gm) + sum(/ tw (\d+)/g), udp: sum(/^UDP6?: inuse (\d+)/gm) }
}

/** Reads uptime, load averages and counts of sockets and processes; returns 0 for a count that the settings skip. */
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
  const [load1 = 0, load5 = 0, load15 = 0] = loadavg.split(' ', 3).map(Number)
  const { tcp, udp } = parseSockets(`${sockets4}\n${sockets6}`)
  return {
    uptimeSec: Math.floor(Number.parseFloat(uptime) || 0),
    loads: [load1, load5, load15],
    tcpSockets: tcp,
    udpSockets: udp,
    processes: entries.filter((name) => /^\d+$/.test(name)).length,
  }
}
