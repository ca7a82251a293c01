import { armCoreName } from './arm-cores.ts'
import { toCount } from './numbers.ts'

export interface CpuTicks {
  busy: number
  total: number
}

export const parseCpuTicks = (stat: string): CpuTicks | undefined => {
  const ticks = (/^cpu[ \t]+(.+)$/m.exec(stat)?.[1] ?? '').trim().split(/\s+/).slice(0, 8).map(toCount)
  const [, , , idle, waiting = 0] = ticks
  if (idle === undefined || ticks.includes(undefined)) return undefined
  const total = ticks.reduce<number>((sum, value) => sum + value!, 0)
  return { busy: total - idle - waiting, total }
}

/** 0 to 100; undefined if no time has passed, or time went back. */
export const toCpuPercent = (before: CpuTicks, after: CpuTicks): number | undefined => {
  const total = after.total - before.total
  if (total <= 0) return undefined
  return Math.min(100, Math.max(0, (100 * (after.busy - before.busy)) / total))
}

type Fields = ReadonlyMap<string, string>

const fieldsOf = (text: string): Fields =>
  new Map(
    [...text.matchAll(/^([^:\n]*?)\s*:[ \t]*(.*?)\s*$/gm)].map(([, name, value]) => [name!.toLowerCase(), value!]),
  )

/** 32-bit ARM kernels name the architecture, not the core. */
const isGeneric = (name: string): boolean => /^(ARMv\d|AArch64).*\bprocessor\b/i.test(name)

/** x86 and LoongArch, MIPS and Alpha, POWER and SPARC, RISC-V. */
const coreKeys = ['model name', 'cpu model', 'cpu', 'uarch']
/** ARM, MIPS, s390. */
const boardKeys = ['model', 'hardware', 'system type', 'machine', 'vendor_id']

const firstOf = (fields: Fields, keys: readonly string[]): string | undefined =>
  keys.map((key) => fields.get(key)).find((value) => value !== undefined && /[a-z]/i.test(value))

const coreName = (own: Fields, board: Fields): string | undefined => {
  const name = firstOf(own, coreKeys)
  if (name !== undefined && !isGeneric(name)) return name
  const field = (key: string) => own.get(key) ?? board.get(key) ?? ''
  return armCoreName(field('cpu implementer'), field('cpu part'))
}

/** One text per model, such as `AMD EPYC 2 Virtual Core`. An unknown core is named after its board: `deviceTreeModel`, or /proc/cpuinfo (agent contract 10.1). */
export const parseCpuModels = (cpuinfo: string, isVirtual: boolean, deviceTreeModel = ''): string[] => {
  // s390 writes `processor 0: …`. Single-core kernels may write `Processor` without a number, which is a name.
  const cores = cpuinfo.split(/^(?=processor[ \t]*\d*[ \t]*:)/m)
  const board = fieldsOf(cpuinfo)
  const named = cores.filter((text) => /^processor[ \t]*\d*[ \t]*:/.test(text))
  const generic = firstOf(board, ['model name', 'processor', 'cpu'])
  const boardName = deviceTreeModel.replace(/\0/g, '').trim() || firstOf(board, boardKeys) || generic || 'Unknown'
  const counts = new Map<string, number>()
  for (const core of named.length === 0 && cpuinfo.trim() ? [cpuinfo] : named) {
    const model = coreName(fieldsOf(core.split(/\n[ \t]*\n/)[0]!), board) ?? boardName
    counts.set(model, (counts.get(model) ?? 0) + 1)
  }
  return [...counts].map(([model, count]) => `${model} ${count} ${isVirtual ? 'Virtual' : 'Physical'} Core`)
}
