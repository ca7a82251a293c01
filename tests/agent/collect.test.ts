import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Task, TaskResult } from '@qd/protocol/agent'
import { collectors } from '@qd/protocol/collectors'
import { agentNews, extensionHeader, extensionTask, extensionVersion } from '@qd/protocol/task-types'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMachine } from '../../apps/agent/src/machine/host.ts'
import type { Machine } from '../../apps/agent/src/machine/machine.ts'
import { createCollectHandler } from '../../apps/agent/src/tasks/collect.ts'
import { createAptRoot, whyNoApt } from '../support/hosts/apt-root.ts'
import { type AgentEvent, type RawServer, startRawServer } from '../support/peers/h2-server.ts'
import { answerCalls, startTestAgent, takeTaskCall } from './world.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'qd-collect-'))
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** The `systemctl` of the host that the agent runs on. */
function install(script: string) {
  writeFileSync(join(folder, 'systemctl'), `#!/bin/sh\n[ "$2" = --property=Version ] && exit 0\n${script}\n`)
  chmodSync(join(folder, 'systemctl'), 0o755)
}

const type = extensionTask.collect
const units = '{"collector":"units"}'
const isResult = (event: AgentEvent): event is AgentEvent & { event: 'message' } =>
  event.event === 'message' && event.method === 'RequestTask'

test('a watch-only agent tells our server its collectors and answers them, but takes no script', async () => {
  install('echo "$1"')
  const ours = { [extensionHeader]: extensionVersion }
  const answer = answerCalls(ours)
  const said: TaskResult[] = []
  const server: RawServer = await startRawServer((event) => {
    if (isResult(event)) said.push(TaskResult.decode(event.bytes))
    return answer(event) && event.event !== 'tcp-fin'
  })
  const agent = startTestAgent(server, { isWatchOnly: true })
  const tasks = await takeTaskCall(server)
  const taken = async () => TaskResult.decode((await server.take(isResult, 10_000)).bytes)
  tasks.respond(ours)
  const ask = async (id: bigint, data: string) => {
    tasks.send(Task.encode({ id, type, data }).finish())
    return taken()
  }
  expect(await ask(7n, units)).toMatchObject({
    id: 7n,
    type,
    successful: true,
    data: '#@ systemctl\nshow\n',
  })
  for (const data of [
    '',
    'null',
    '[]',
    '{',
    '{"collector":"toString"}',
    '{"collector":["units"]}',
    '{"collector":"id"}',
  ])
    expect(await ask(8n, data)).toMatchObject({ id: 8n, type, successful: false, data: 'unknown collector' })
  expect(said[0]).toMatchObject({
    id: 0n,
    type: agentNews.collectors,
    data: JSON.stringify([...Object.keys(collectors), 'logs']),
  })
  // No command line of a process leaves a host that takes no commands.
  const { data } = await ask(9n, '{"collector":"processes"}')
  expect(data).toContain('\n#@ ps\n')
  expect(data).toMatch(new RegExp(`^ *${process.pid} +\\S+ *$`, 'm'))
  await agent.stop()
  await server.close()
})

/** Asks without a server. */
function startCollecting(limits: { timeMs: number; bytes: number }, machine = createMachine()) {
  const stop = new AbortController()
  const handler = createCollectHandler(machine, stop.signal, limits)
  const ask = (data = units) =>
    new Promise<unknown>((resolve) => {
      void handler(Task.create({ id: 1n, type, data }), {
        reply: resolve,
        progress: undefined,
        openStream: () => {
          throw new Error('no stream')
        },
      })
    })
  return { ask, stop: () => stop.abort() }
}

test('an output that the server knows is not sent again', async () => {
  install(`cat '${folder}/state'`)
  const { ask } = startCollecting({ timeMs: 5_000, bytes: 1_000 })
  const known = createHash('sha256').update('#@ systemctl\nactive\n').digest('base64')
  writeFileSync(join(folder, 'state'), 'active\n')
  expect(await ask()).toEqual({ successful: true, data: '#@ systemctl\nactive\n' })
  const again = JSON.stringify({ collector: 'units', known })
  expect(await ask(again)).toEqual({ successful: true, data: '#@ unchanged' })
  // Who asks meanwhile and knows nothing gets all.
  expect(await Promise.all([ask(again), ask()])).toMatchObject([
    { data: '#@ unchanged' },
    { data: '#@ systemctl\nactive\n' },
  ])
  writeFileSync(join(folder, 'state'), 'failed\n')
  expect(await ask(again)).toEqual({ successful: true, data: '#@ systemctl\nfailed\n' })
})

test('a host that hangs is killed at the limit, with what it has started', async () => {
  install(`sleep 1000 & echo $! >> '${folder}/pids'; wait`)
  const { ask } = startCollecting({ timeMs: 500, bytes: 1000 })
  expect(await ask()).toEqual({ successful: false, data: 'timed out' })
  const pid = Number(readFileSync(join(folder, 'pids'), 'utf8'))
  await expect
    .poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[2], { timeout: 5_000 })
    .toBe('Z')
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
})

test('a script that outlives its kill is not started again beside itself', async () => {
  let started = 0
  const runProgram = () => {
    started += 1
    return { ended: new Promise<never>(() => undefined), kill: () => undefined }
  }
  const { ask } = startCollecting({ timeMs: 20, bytes: 1000 }, { ...createMachine(), runProgram })
  for (let time = 0; time < 2; time += 1) expect(await ask()).toEqual({ successful: false, data: 'timed out' })
  expect(started).toBe(1)
})

test('a host that prints too much is killed', async () => {
  install('exec cat /dev/zero')
  const { ask } = startCollecting({ timeMs: 60_000, bytes: 100_000 })
  expect(await ask()).toEqual({ successful: false, data: 'too large' })
})

test('who asks while a reading runs gets the same one; the next is new', async () => {
  install(
    `echo reading >> '${folder}/log'; while ! [ -e '${folder}/go' ]; do sleep 0.01; done; wc -l < '${folder}/log'`,
  )
  const { ask } = startCollecting({ timeMs: 60_000, bytes: 1000 })
  const all = [ask(), ask(), ask()]
  writeFileSync(join(folder, 'go'), '')
  const data = { successful: true, data: '#@ systemctl\n1\n' }
  expect(await Promise.all(all)).toEqual([data, data, data])
  expect(await ask()).toEqual({ successful: true, data: '#@ systemctl\n2\n' })
})

test('the end of the agent ends its collectors', async () => {
  install(`touch '${folder}/began'; exec sleep 1000`)
  const { ask, stop } = startCollecting({ timeMs: 60_000, bytes: 1000 })
  const answer = ask()
  await expect.poll(() => readFileSync(join(folder, 'began'), 'utf8')).toBe('')
  stop()
  expect(await answer).toEqual({ successful: false, data: 'killed' })
})

test.skipIf(whyNoApt() !== null)('apt is asked again only when what its list is made from has changed', async () => {
  const apt = createAptRoot(folder)
  vi.stubEnv('PATH', `${folder}:${apt.bin}:${process.env.PATH}`)
  const calls = join(folder, 'calls')
  writeFileSync(join(folder, 'apt'), `#!/bin/sh\necho "$1" >>'${calls}'\nexec '${apt.bin}/apt' "$@"\n`, { mode: 0o755 })
  const callsOf = () => readFileSync(calls, 'utf8').trim().split('\n').length
  apt.publish('stable', [{ name: 'qd-a', version: '1.0' }])
  apt.install('qd-a')
  const { ask } = startCollecting({ timeMs: 60_000, bytes: 100_000 })
  const packages = async () => {
    const { data } = (await ask('{"collector":"packages"}')) as { data: string }
    return data.split('\n').filter((line) => line.startsWith('qd-'))
  }
  const first = await ask('{"collector":"packages"}')
  expect(await ask('{"collector":"packages"}')).toEqual(first)
  expect(callsOf()).toBe(1)
  apt.publish('stable-security', [{ name: 'qd-a', version: '1.1' }])
  const pending = ['qd-a/stable-security 1.1 all [upgradable from: 1.0]']
  expect([await packages(), await packages(), callsOf()]).toEqual([pending, pending, 2])
  apt.install('qd-a')
  expect([await packages(), await packages(), callsOf()]).toEqual([[], [], 3])
  // A pin changes what is an update, and only a file of the configuration says so.
  apt.publish('stable', [{ name: 'qd-a', version: '2.0' }])
  expect([(await packages()).length, callsOf()]).toEqual([1, 4])
  const pin = 'Package: qd-a\nPin: version 1.1\nPin-Priority: 990\n'
  writeFileSync(join(folder, 'root/etc/apt/preferences.d/qd'), pin)
  expect([await packages(), await packages(), callsOf()]).toEqual([[], [], 5])
})

test('a failure of apt is not kept', async () => {
  const names = `state='${folder}/' status='${folder}/status' known='${folder}/lists/' etc='${folder}/etc/'`
  const programs = {
    dpkg: 'echo amd64',
    'apt-config': `echo "${names}"`,
    apt: `cat '${folder}/said'; exec test -e '${folder}/good'`,
  }
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  writeFileSync(join(folder, 'status'), '')
  writeFileSync(join(folder, 'said'), 'E: no permission\n')
  const { ask } = startCollecting({ timeMs: 60_000, bytes: 100_000 })
  const packages = '{"collector":"packages"}'
  const failed = { data: expect.stringMatching(/#@ from \d+_\d+\n#@ apt\n#@ error\nE: no permission\n$/) }
  expect(await ask(packages)).toMatchObject(failed)
  writeFileSync(join(folder, 'good'), '')
  writeFileSync(join(folder, 'said'), 'a/stable 2 all [upgradable from: 1]\n')
  expect(await ask(packages)).toMatchObject({ data: expect.stringMatching(/#@ apt\na\/stable/) })
})

test('what apt lists is kept for some hours, but not if the script did not come to its end, or where apt doesn’t name its files', async () => {
  const asked: string[] = []
  const whole = '#@ facts\n#@ from 1_1\n#@ apt\na/stable 2 all\n'
  const unchanged = '#@ facts\n#@ from 1_1\n'
  const later = `${unchanged}#@ apt\na/stable 3 all\n`
  const outputs = [`${unchanged}#@ apt\n`, whole, unchanged, later, unchanged]
  let now = 0
  const runProgram: Machine['runProgram'] = ({ args }, { onOutput }) => {
    onOutput(Buffer.from(outputs[asked.length]!))
    asked.push(/^kept=(.*)$/m.exec(args[1]!)![1]!)
    return { ended: Promise.resolve({ code: asked.length === 1 ? 2 : 0 }), kill: () => undefined }
  }
  const simulated = startCollecting({ timeMs: 60_000, bytes: 1000 }, { ...createMachine(), runProgram, now: () => now })
  const read = async () => ((await simulated.ask('{"collector":"packages"}')) as { data: string }).data
  expect([await read(), await read(), await read()]).toEqual([outputs[0], whole, whole])
  now = 7 * 3_600_000
  expect([await read(), await read()]).toEqual([later, later])
  expect(asked).toEqual(['', '', '1_1', '', '1_1'])

  for (const [name, script] of Object.entries({ dpkg: 'echo amd64', 'apt-config': ':', apt: ':' }))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const { ask } = startCollecting({ timeMs: 60_000, bytes: 1000 })
  expect(await ask('{"collector":"packages"}')).toMatchObject({ data: expect.not.stringContaining('#@ from') })
})
