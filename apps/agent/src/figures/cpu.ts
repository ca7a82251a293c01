/** Processor time since boot, in clock ticks of all cores together. */
export interface CpuTicks {
  busy: number
  total: number
}

/** Reads the `cpu` line of /proc/stat; guest time is already within user time. undefined when there is none. */
export const parseCpuTicks = (stat: string): CpuTicks | undefined => {
  const line = /^cpu +(.+)$/m.exec(stat)?.[1]
  if (!line) return undefined
  const ticks = line.split(/ +/).map(Number).slice(0, 8)
  const total = ticks.reduce((sum, value) => sum + value, 0)
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0)
  return { busy: total - idle, total }
}

/** Percent of the whole machine between two readings, 0 to 100; 0 when no time has passed. */
export const toCpuPercent = (before: CpuTicks, after: CpuTicks): number => {
  const total = after.total - before.total
  if (total <= 0) return 0
  return Math.min(100, Math.max(0, (100 * (after.busy - before.busy)) / total))
}

/** One text per distinct model, for example `AMD EPYC 2 Virtual Core`. Source: agent contract 10.1. */
export const parseCpuModels = (cpuinfo: string, isVirtual: boolean): string[] => {
  const counts = new Map<string, number>()
  for (const processor of cpuinfo.split('\n\n').filter((text) => /^processor\s*:/m.test(text))) {
    const model = /^model name\s*: (.+)$/m.exec(processor)?.[1]?.trim() ?? 'Unknown'
    counts.set(model, (counts.get(model) ?? 0) + 1)
  }
  return [...counts].map(([model, count]) => `${model} ${count} ${isVirtual ? 'Virtual' : 'Physical'} Core`)
}
