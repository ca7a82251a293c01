import { toCount } from './numbers.ts'

/** A part of a whole, in bytes. */
export interface Space {
  totalBytes: number
  usedBytes: number
}

/** Memory and swap; undefined where the machine doesn’t say, or what it says can’t be. A machine without swap has a swap of 0 bytes. */
export interface Memory {
  memory: Space | undefined
  swap: Space | undefined
}

/** What one of a unit is in bytes. The kernel writes `kB`; a line without a unit is read the same way, as procps does. */
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

/** Bytes of each line of /proc/meminfo; a number or unit that is unknown leaves its line out. */
const parseLines = (meminfo: string): ReadonlyMap<string, number> => {
  const lines = new Map<string, number>()
  for (const [, name, digits, unit = ''] of meminfo.matchAll(/^(\w+):[ \t]*(\d+)(?:[ \t]+(\S+))?[ \t]*\r?$/gm)) {
    const value = toCount(digits)
    const bytes = unitBytes[unit.toLowerCase()]
    if (value !== undefined && bytes !== undefined) lines.set(name!, value * bytes)
  }
  return lines
}

/**
 * What a new program could have, as procps works it out. Kernels before 3.14, OpenVZ and WSL 1 have no MemAvailable. In containers it
 * may be the host’s and above the container’s own memory (lxcfs), as may the caches: then what is free counts.
 */
const availableOf = (lines: ReadonlyMap<string, number>, total: number): number | undefined => {
  const free = lines.get('MemFree')
  const part = (name: string) => lines.get(name) ?? 0
  const cached = part('Buffers') + part('Cached') + part('SReclaimable') - part('Shmem')
  const available = lines.get('MemAvailable') || (free === undefined ? undefined : free + Math.max(0, cached))
  const found = available !== undefined && available <= total ? available : free
  return found !== undefined && found <= total ? found : undefined
}

/** Reads /proc/meminfo; used memory is what is not available to a new program. */
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
