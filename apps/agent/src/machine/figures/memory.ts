import { toCount } from './numbers.ts'

interface Space {
  totalBytes: number
  usedBytes: number
}

/** Undefined: unknown or implausible. Swap may be 0 bytes. */
export interface Memory {
  memory: Space | undefined
  swap: Space | undefined
}

/** The kernel writes `kB`; without a unit, procps assumes it too. */
const unitBytes: Readonly<Record<string, number>> = {
  '': 1024,
  b: 1,
  kb: 1024,
  kib: 1024,
  mb: 2 ** 20,
  mib: 2 ** 20,
  gb: 2 ** 30,
  gib: 2 ** 30,
}

const parseLines = (meminfo: string): ReadonlyMap<string, number> => {
  const lines = new Map<string, number>()
  for (const [, name, digits, unit = ''] of meminfo.matchAll(/^(\w+):[ \t]*(\d+)(?:[ \t]+(\S+))?[ \t]*\r?$/gm)) {
    const value = toCount(digits)
    const bytes = unitBytes[unit.toLowerCase()]
    if (value !== undefined && bytes !== undefined) lines.set(name!, value * bytes)
  }
  return lines
}

/** As procps computes it. Kernels before 3.14, OpenVZ and WSL 1 lack MemAvailable. In containers (lxcfs) it may be the host’s and exceed the total: then free memory counts. */
const availableOf = (lines: ReadonlyMap<string, number>, total: number): number | undefined => {
  const free = lines.get('MemFree')
  const part = (name: string) => lines.get(name) ?? 0
  const cached = part('Buffers') + part('Cached') + part('SReclaimable') - part('Shmem')
  const available = lines.get('MemAvailable') || (free === undefined ? undefined : free + Math.max(0, cached))
  const found = available !== undefined && available <= total ? available : free
  return found !== undefined && found <= total ? found : undefined
}

export const parseMemory = (meminfo: string): Memory => {
  const lines = parseLines(meminfo)
  const total = lines.get('MemTotal')
  const available = total ? availableOf(lines, total) : undefined
  const swapTotal = lines.get('SwapTotal')
  const swapFree = swapTotal === 0 ? 0 : lines.get('SwapFree')
  const isSwapKnown = swapTotal !== undefined && swapFree !== undefined && swapFree <= swapTotal
  return {
    memory: total && available !== undefined ? { totalBytes: total, usedBytes: total - available } : undefined,
    swap: isSwapKnown ? { totalBytes: swapTotal, usedBytes: swapTotal - swapFree } : undefined,
  }
}
