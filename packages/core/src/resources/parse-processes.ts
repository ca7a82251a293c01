import type { ParsedRows } from '../define/index.ts'
import { ProcessState } from './host-options.ts'
import { boundedRows, cut, sectionsOf } from './parse-collected.ts'

type Process = {
  readonly name: string
  /** PID and start time: a PID that another process has taken isn’t the same record. */
  readonly ref: string
  readonly pid: number
  readonly parent: number
  readonly program: string
  readonly user: string
  readonly state: ProcessState
  readonly kernel: boolean
  readonly cpu: number | null
  readonly memory: number | null
  readonly threads: number | null
  readonly since: string | null
  readonly cpu_time: number | null
  readonly command: string
  readonly tree: string
}

/** Without what other processes say of it. */
type Alone = Omit<Process, 'user' | 'command' | 'tree'> & { readonly user?: string }

const longestUser = 64
const longestProgram = 64
const longestCommand = 300
const longestTree = 200
const deepestTree = 16

/** Reads what the collector `processes` printed. */
export function parseProcesses(text: string): ParsedRows {
  const sections = sectionsOf(text)
  const linux = sections.get('linux')
  const bsd = sections.get('bsd')
  if (linux === undefined && bsd === undefined)
    return { state: sections.has('unsupported') ? 'not supported' : 'failed' }
  const alone = [...(linux === undefined ? ofBsd(bsd ?? '') : ofLinux(linux))]
  if (alone.length === 0) return { state: 'failed' }
  const said = saidByPs(sections.get('ps') ?? '')
  const treeOf = treesOf(alone)
  return boundedRows(
    alone.map((process): Process => {
      const { user = process.user ?? '', command = '' } = said.get(process.pid) ?? {}
      return {
        ...process,
        user: cut(user, longestUser),
        command: process.kernel ? '' : cut(command, longestCommand),
        tree: treeOf(process),
      }
    }),
  )
}

/** Clock ticks a second, bytes of a page, boot time, uptime at both readings, then a line for each process (`collector-scripts.ts` of the protocol). */
function* ofLinux(text: string): Iterable<Alone> {
  const [ticks = '', page = '', boot = '', uptimes = '', ...lines] = text.split('\n')
  const [began = Number.NaN, ended = Number.NaN] = uptimes.split(' ').map(Number)
  const hz = Number(ticks)
  const seconds = ended - began
  for (const line of lines) {
    const match = /^(\d+) (\d+) (\w) ([01]) (\d+) (\d+) (\d+) (\d+|-) (\d+) (.*)$/.exec(line)
    if (!match) continue
    const [, pid = '', parent = '', letter = '', kernel = '', start = '', pages = '', threads = '', before = ''] = match
    const used = Number(match[9])
    const startedAt = Number(start) / hz
    // A process that started between the readings has used all of its time since the first one.
    const usedBefore = before !== '-' ? Number(before) : startedAt >= began ? 0 : null
    yield {
      ...calledBy(match[10] ?? '', pid, start),
      pid: Number(pid),
      parent: Number(parent),
      state: stateOf(letter),
      kernel: kernel === '1',
      cpu: usedBefore === null ? null : finite(Math.round(((used - usedBefore) / hz / seconds) * 1000) / 10),
      memory: kernel === '1' ? null : finite(Number(pages) * Number(page)),
      threads: finite(Number(threads)),
      since: instantOf((Number(boot) + startedAt) * 1000),
      cpu_time: finite(used / hz),
    }
  }
}

/** A line of BSD’s `ps` for each process: PID, parent, user, state, %CPU, KiB, start in five words, program. */
function* ofBsd(text: string): Iterable<Alone> {
  for (const line of text.split('\n')) {
    const match = /^ *(\d+) +(\d+) +(\S+) +(\S+) +(\d+[.,]\d+) +(\d+) +(\w{3} +\w{3} +\d+ [\d:]{8} \d{4}) +(.*)$/.exec(
      line,
    )
    if (!match) continue
    const [, pid = '', parent = '', user = '', state = '', cpu = '', memory = '', start = '', programText = ''] = match
    yield {
      ...calledBy(programText.trim(), pid, start.replace(/ +/g, '_')),
      pid: Number(pid),
      parent: Number(parent),
      user,
      state: stateOf(state),
      // Threads of FreeBSD’s kernel belong to process 0.
      kernel: pid === '0' || (parent === '0' && pid !== '1'),
      cpu: finite(Number(cpu.replace(',', '.'))),
      memory: finite(Number(memory) * 1024),
      threads: null,
      since: instantOf(Date.parse(`${start} UTC`)),
      cpu_time: null,
    }
  }
}

/** The program, its name with the PID as in a syslog, and what tells the process from a later one with its PID. */
function calledBy(program: string, pid: string, start: string): Pick<Process, 'program' | 'name' | 'ref'> {
  const short = cut(program, longestProgram)
  return { name: `${short}[${pid}]`, ref: `${pid}@${start}`, program: short }
}

/** User and command line by PID; a locked host prints no command line. */
function saidByPs(text: string): ReadonlyMap<number, { user: string; command: string }> {
  const said = new Map<number, { user: string; command: string }>()
  for (const line of text.split('\n')) {
    const [, pid, user = '', command = ''] = /^ *(\d+) +(\S+) *(.*)$/.exec(line) ?? []
    if (pid !== undefined && !said.has(Number(pid))) said.set(Number(pid), { user, command })
  }
  return said
}

/**
 * The programs that a process descends from, and itself, such as `sshd > sshd[2001] > bash`; sorted by it, a list is a tree. Siblings of one program
 * have their PID, process 1 is left out, as nearly all descend from it.
 */
function treesOf(processes: readonly Alone[]): (process: Alone) => string {
  const byPid = new Map(processes.map((process) => [process.pid, process]))
  const siblings = new Map<string, number>()
  const keyOf = ({ parent, program }: Alone) => `${parent} ${program}`
  for (const process of processes) siblings.set(keyOf(process), (siblings.get(keyOf(process)) ?? 0) + 1)
  const labelOf = (process: Alone) =>
    (siblings.get(keyOf(process)) ?? 0) > 1 ? `${process.program}[${process.pid}]` : process.program
  return (process) => {
    const path = [labelOf(process)]
    let above = byPid.get(process.parent)
    while (above && above.pid > 1 && path.length < deepestTree) {
      path.unshift(labelOf(above))
      above = byPid.get(above.parent)
    }
    return path.join(' > ').slice(0, longestTree)
  }
}

const letters: Readonly<Record<string, ProcessState>> = {
  R: ProcessState.running,
  D: ProcessState.blocked,
  U: ProcessState.blocked,
  L: ProcessState.blocked,
  T: ProcessState.stopped,
  t: ProcessState.stopped,
  Z: ProcessState.zombie,
  X: ProcessState.zombie,
  // Threads of a kernel, and processes of BSD that have slept for long.
  I: ProcessState.idle,
  P: ProcessState.idle,
  W: ProcessState.idle,
}

const stateOf = (word: string) => letters[word.slice(0, 1)] ?? ProcessState.sleeping

const finite = (value: number) => (Number.isFinite(value) && value >= 0 ? value : null)

const instantOf = (at: number) => (at > 0 && at < 8.64e15 ? new Date(at).toISOString() : null)
