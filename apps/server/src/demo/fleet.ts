import { State, type Task, type TaskResult } from '@qd/protocol/agent'
import { taskType } from '@qd/protocol/task-types'
import { type SimulatedAgent, startAgent } from './agent.ts'
import { answerCommand, readme, readmeName } from './answers.ts'
import { createContainers } from './containers.ts'
import { answerFilesystems } from './filesystems.ts'
import type { Machine, Sample } from './machines.ts'
import { createPackages } from './packages.ts'
import { createProcesses } from './processes.ts'
import { checkAnswer } from './services.ts'
import { answerStream, notInDemo } from './streams.ts'
import { createUnits } from './units.ts'

export interface FleetOptions {
  host: string
  port: number
  secret: string
  machines: readonly Machine[]
  start: number
  now(): number
  isKnown(uuid: string): boolean
}

/** What a machine says to a command about what runs on it; null if the command is about something else. */
type HostAnswer = (machine: Machine, command: string, at: number) => string | null

const reportEveryMs = 2000
const atOnce = 20
const reconnectMs = 5000

export async function startFleet(options: FleetOptions): Promise<{ stop(): void }> {
  const { machines, isKnown, now } = options
  const agents = new Map<Machine, SimulatedAgent>()
  const hosts = [createUnits(), createContainers(), createProcesses(), answerFilesystems, createPackages()]
  const answerHost = (...asked: Parameters<HostAnswer>) => {
    for (const answer of hosts) {
      const said = answer(...asked)
      if (said !== null) return said
    }
    return null
  }
  let isStopped = false

  async function connect(machine: Machine): Promise<void> {
    if (isStopped || !isKnown(machine.uuid)) return
    const lost = () => {
      agents.delete(machine)
      setTimeout(() => void connect(machine), reconnectMs).unref()
    }
    try {
      const agent = await startAgent({
        ...options,
        uuid: machine.uuid,
        machine: toHost(machine),
        address: machine.address,
        sample: () => toState(machine.sampleAt(now())),
        intervalMs: reportEveryMs,
        offsetMs: reportEveryMs * (machine.id / machines.length),
        answer: (task) => answerTask(machine, task, { ...options, answerHost }),
        stream: (task, open) => answerStream(machine, task, open, now),
        onLost: lost,
      })
      if (isStopped) agent.close()
      else agents.set(machine, agent)
    } catch {
      lost()
    }
  }

  const online = machines.filter(({ offlineSince }) => offlineSince === null)
  for (let from = 0; from < online.length; from += atOnce)
    await Promise.all(online.slice(from, from + atOnce).map(connect))
  return {
    stop() {
      isStopped = true
      for (const agent of agents.values()) agent.close()
    },
  }
}

function toHost({ host }: Machine) {
  const { platform, platform_version, arch, virtualization, cpu, version, ...numbers } = host
  return {
    ...{ platform, platform_version, arch, virtualization, cpu, version },
    mem_total: BigInt(numbers.mem_total),
    swap_total: BigInt(numbers.swap_total),
    disk_total: BigInt(numbers.disk_total),
    boot_time: BigInt(numbers.boot_time),
  }
}

function toState(sample: Sample): State {
  const { cpu, load_1, load_5, load_15, temperatures, ...whole } = sample
  return State.fromPartial({
    ...Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, BigInt(value)])),
    ...{ cpu, load1: load_1, load5: load_5, load15: load_15 },
    temperatures: temperatures.map(({ Name, Temperature }) => ({ name: Name, temperature: Temperature })),
  })
}

function answerTask(
  machine: Machine,
  { type, data }: Task,
  { now, start, answerHost }: Pick<FleetOptions, 'now' | 'start'> & { answerHost: HostAnswer },
): Pick<TaskResult, 'data' | 'delay' | 'successful'> {
  const say = (answer: object) => ({ data: JSON.stringify(answer), delay: 0.01, successful: true })
  const entry = () => ({
    name: readmeName,
    type: 'file',
    size: Buffer.byteLength(readme(machine)) + 1,
    mode: '0644',
    mtime: new Date(machine.host.boot_time * 1000).toISOString(),
  })
  switch (type) {
    case taskType.httpProbe:
    case taskType.icmpProbe:
    case taskType.tcpProbe:
      return checkAnswer(data, machine, now(), start)
    case taskType.command: {
      const said = answerHost(machine, data, now())
      if (said !== null) return { data: said, delay: 0.1, successful: true }
      const { output, code } = answerCommand(machine, data, now())
      const text = code === 0 ? output : `${output}\nexit status ${code}`
      return { data: text, delay: 0.1 + (machine.id % 9) / 10, successful: code === 0 }
    }
    case taskType.exec: {
      const { cmd = '', args = [] } = JSON.parse(data) as { cmd?: string; args?: readonly string[] }
      const { output, code } = answerCommand(machine, [cmd, ...args].join(' '), now())
      return say({ exit_code: code, stdout: output, stderr: '', duration_ms: 12 })
    }
    case taskType.reportConfig:
      return say(agentConfig)
    case taskType.listFiles:
      return say({ entries: [entry()] })
    default:
      return { data: notInDemo, delay: 0, successful: false }
  }
}

const agentConfig = {
  report_delay: 2,
  ip_report_period: 1800,
  hard_drive_partition_allowlist: [],
  nic_allowlist: {},
  gpu: false,
  temperature: true,
  skip_connection_count: false,
  skip_procs_count: false,
  debug: false,
  disable_auto_update: true,
  disable_force_update: true,
  disable_command_execute: false,
  disable_nat: true,
  disable_send_query: false,
}
