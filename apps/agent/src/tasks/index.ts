import { extensionTask, taskType } from '@qd/protocol/task-types'
import { lockOf, type Settings } from '../config/settings.ts'
import type { Timing } from '../config/timing.ts'
import type { Machine, OwnProgram } from '../machine/machine.ts'
import { refuse, type TaskHandler } from '../wire/runner.ts'
import { createFilesHandler } from '../wire/streams/files.ts'
import { createNatHandler, createRefusedStreams } from '../wire/streams/relay.ts'
import { createTerminalHandler } from '../wire/streams/terminal.ts'
import { createTransferHandler } from '../wire/streams/transfer.ts'
import { createCollectHandler } from './collect.ts'
import { createCommandHandlers, type Kills } from './command.ts'
import { createConfigHandlers } from './config.ts'
import { createExecHandler, execRefusal } from './exec.ts'
import { createFileTasks, fileAnswers } from './files.ts'
import { createLogsHandler } from './logs/logs.ts'
import { createProbeHandlers } from './probes.ts'
import { createUpdateHandler } from './update.ts'

export interface TaskParts {
  machine: Machine
  settings: Settings
  timing: Timing
  version: string
  program: OwnProgram | undefined
  stop: AbortSignal
  reconnect(): void
}

const answer =
  (data: string, successful = false): TaskHandler =>
  (_task, { reply }) =>
    reply({ data, successful })

const filesRefusal = (fields: object) =>
  answer(JSON.stringify({ ...fields, error: 'agent disabled file operations' }), true)
const silence: TaskHandler = () => undefined

/** Handlers by task number. Disabled features refuse; to a Nezha server, files, terminal and NAT stay silent like Nezha’s agents. */
export const createTaskHandlers = (parts: TaskParts): ReadonlyMap<bigint, TaskHandler> => {
  const { machine, settings, timing, stop } = parts
  /** Checked per task: the configuration may have changed. */
  const unlessDisabled =
    (handler: TaskHandler, refusal: TaskHandler): TaskHandler =>
    (task, context) =>
      (lockOf(settings) ? refusal : handler)(task, context)
  const refusalCode = () => lockOf(settings) ?? 'commandsDisabled'
  /** A code for our server, and a text; Nezha’s are in Chinese. */
  const refuseCommand: TaskHandler = (_task, context) => refuse(context, refusalCode())
  const kills: Kills = new Map()
  const command = createCommandHandlers(machine, { ...timing, stop }, kills)
  const nat = createNatHandler(machine, timing)
  const fileTasks = createFileTasks(machine)
  const refusedStreams = createRefusedStreams(machine, timing, refusalCode)
  const config = createConfigHandlers({ ...parts, applyDelayMs: timing.applyDelayMs })
  return new Map([
    ...createProbeHandlers(parts),
    [taskType.command, unlessDisabled(command.run, refuseCommand)],
    [extensionTask.endCommand, command.end],
    [taskType.upgrade, createUpdateHandler(parts)],
    [taskType.keepalive, answer('')],
    [
      taskType.nat,
      (task, context) => (settings.isWatchOnly || settings.current.disable_nat ? silence : nat)(task, context),
    ],
    [taskType.terminal, unlessDisabled(createTerminalHandler(machine, timing), refusedStreams.terminal)],
    [taskType.reportConfig, unlessDisabled(config.report, refuseCommand)],
    [taskType.applyConfig, unlessDisabled(config.apply, refuseCommand)],
    [taskType.applyTransfer, unlessDisabled(config.transfer, refuseCommand)],
    [
      extensionTask.rotateSecret,
      (task, context) => (settings.isWatchOnly ? refuseCommand : config.rotate)(task, context),
    ],
    [taskType.exec, unlessDisabled(createExecHandler(machine, stop, kills), answer(execRefusal, true))],
    [taskType.files, unlessDisabled(createFilesHandler(machine, timing), refusedStreams.files)],
    [taskType.listFiles, unlessDisabled(fileTasks.list, filesRefusal(fileAnswers.list))],
    [taskType.readFile, unlessDisabled(fileTasks.read, filesRefusal(fileAnswers.read))],
    [taskType.writeFile, unlessDisabled(fileTasks.write, filesRefusal(fileAnswers.write))],
    [taskType.deleteFiles, unlessDisabled(fileTasks.remove, filesRefusal(fileAnswers.remove))],
    [extensionTask.collect, createCollectHandler(machine, stop, { isLocked: () => lockOf(settings) !== null })],
    [extensionTask.logs, createLogsHandler(machine, timing)],
    [extensionTask.checksum, unlessDisabled(fileTasks.checksum, filesRefusal(fileAnswers.checksum))],
    [taskType.transferFile, createTransferHandler(machine, timing, { refused: () => lockOf(settings) })],
  ])
}
