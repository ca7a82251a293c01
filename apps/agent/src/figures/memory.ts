/** Memory and swap in bytes. */
export interface Memory {
  memTotal: number
  memUsed: number
  swapTotal: number
  swapUsed: number
}

/** Reads /proc/meminfo; used memory is what is not available to a new program. */
export const parseMemory = (meminfo: string): Memory => {
  const bytes = (name: string): number =>
    1024 * Number(new RegExp(`^${name}: +(\\d+) kB$`, 'm').exec(meminfo)?.[1] ?? 0)
  const memTotal = bytes('MemTotal')
  const swapTotal = bytes('SwapTotal')
  return {
    memTotal,
    memUsed: Math.max(0, memTotal - bytes('MemAvailable')),
    swapTotal,
    swapUsed: Math.max(0, swapTotal - bytes('SwapFree')),
  }
}
