import { Task, TaskResult } from '@qd/protocol/agent'
import { refusals } from '@qd/protocol/refusals'
import {
  extensionHeader,
  extensionTask,
  extensionVersion,
  progressType,
  taskType,
  watchOnlyTasks,
} from '@qd/protocol/task-types'
import { afterEach, expect, test } from 'vitest'
import { type AgentEvent, type RawServer, startRawServer } from '../support/peers/h2-server.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

let server: RawServer
let agent: ReturnType<typeof startTestAgent>
afterEach(async () => {
  await agent.stop()
  await server.close()
})

const isResult = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
  event.event === 'message' && event.method === 'RequestTask'
const taken = async () => TaskResult.decode((await server.take(isResult, 10_000)).bytes)

/** A server that was taken over: it says that it is ours, and asks for everything. */
test('issue 37.5 a watch-only agent refuses what a server asks for, whatever the server thinks', async () => {
  const ours = { [extensionHeader]: extensionVersion }
  const answer = answerCalls(ours)
  server = await startRawServer((event) => answer(event) && event.event !== 'tcp-fin')
  agent = startTestAgent(server, { isWatchOnly: true })
  const tasks = await takeTaskCall(server)
  tasks.respond(ours)
  const before = agent.settings.current
  const asked: [bigint, string][] = [
    [taskType.command, 'echo pwned'],
    [taskType.reportConfig, ''],
    [taskType.applyConfig, '{"debug":true}'],
    [taskType.applyTransfer, JSON.stringify({ client_secret: 'x'.repeat(32) })],
    [extensionTask.rotateSecret, JSON.stringify({ client_secret: 'x'.repeat(32) })],
  ]
  for (const [type, data] of asked) {
    tasks.send(Task.encode({ id: 7n, type, data }).finish())
    expect(await taken()).toMatchObject({ id: 7n, type: progressType.refused, data: 'watchOnly' })
    expect(await taken()).toMatchObject({ id: 7n, type, successful: false, data: refusals.watchOnly })
  }
  const ofFiles = [
    taskType.listFiles,
    taskType.readFile,
    taskType.writeFile,
    taskType.deleteFiles,
    extensionTask.checksum,
  ]
  for (const type of [taskType.exec, ...ofFiles]) {
    tasks.send(Task.encode({ id: 8n, type, data: '{"path":"/etc/passwd","cmd":"id"}' }).finish())
    expect((await taken()).data).toMatch(/disabled/)
  }
  expect(agent.settings.current).toBe(before)
  // A new task stands above, or among those that are not asked for here: what answers on a stream of its own, and the end of a command.
  const elsewhere = [taskType.terminal, taskType.files, taskType.nat, taskType.transferFile, extensionTask.endCommand]
  const tried = new Set<bigint>([
    ...watchOnlyTasks,
    ...asked.map(([type]) => type),
    taskType.exec,
    ...ofFiles,
    ...elsewhere,
  ])
  const all: readonly bigint[] = [...Object.values(taskType), ...Object.values(extensionTask)]
  expect(all.filter((type) => !tried.has(type))).toEqual([])
})
