import { taskType } from '@qd/protocol/task-types'
import type { Machine } from '../machine.ts'
import { createTerminalHandler } from '../streams/terminal.ts'
import type { Timing } from '../timing.ts'
import { type CommandLimits, createCommandHandler } from './command.ts'
import type { TaskHandler } from './runner.ts'

const answer =
  (data: string): TaskHandler =>
  (_task, { reply }) =>
    reply({ data })

/** The texts by which existing agents say that a feature is switched off. Source: agent contract 3.2. */
const off = {
  probes: 'This server has disabled query sending',
  commands: '此 Agent 已禁止命令执行',
  config: '此 Agent 已禁止命令执行 (DisableCommandExecute)',
}

/**
 * The handlers by task number. What this agent does not do is answered as by an existing agent that has it switched
 * off; where such an agent stays silent (terminal, files, NAT), or would be asked only from version 2.1.0 on (15 to
 * 20), there is no handler.
 */
export const createTaskHandlers = (
  machine: Machine,
  allowCommands: boolean,
  limits: CommandLimits & Timing,
): ReadonlyMap<bigint, TaskHandler> =>
  new Map([
    [taskType.httpProbe, answer(off.probes)],
    [taskType.icmpProbe, answer(off.probes)],
    [taskType.tcpProbe, answer(off.probes)],
    [taskType.command, allowCommands ? createCommandHandler(machine, limits) : answer(off.commands)],
    [taskType.upgrade, answer('')],
    [taskType.keepalive, answer('')],
    ...(allowCommands ? [[taskType.terminal, createTerminalHandler(machine, limits)] as const] : []),
    [taskType.reportConfig, answer(off.commands)],
    [taskType.applyConfig, answer(off.config)],
    [taskType.applyTransfer, answer(off.config)],
  ])
