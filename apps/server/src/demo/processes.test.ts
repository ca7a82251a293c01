import { port, process } from '@qd/core/resources'
import { collectCommandOf } from '@qd/protocol/collectors'
import { expect, test } from 'vitest'
import { commandLineOf } from '../act/runs/outcome.ts'
import { createMachines } from './machines.ts'
import { createProcesses } from './processes.ts'

const command = await process.host!.commands()
const parsers = new Map([
  [process.host!.collector, await process.host!.parser()],
  [port.host!.collector, await port.host!.parser()],
])

test('simulated servers have processes and ports, and a signal ends one, which is started again', () => {
  const at = Date.parse('2026-11-26T12:00:00Z')
  const machines = createMachines(at)
  const answer = createProcesses()
  const read = ({ host }: typeof process | typeof port, machine = machines[0]!) => {
    const parsed = parsers.get(host!.collector)!(
      answer(machine, collectCommandOf(host!.collector as 'processes'), at) ?? '',
    )
    if (parsed.state !== 'read') throw new Error(parsed.state)
    return parsed.rows
  }
  for (const machine of machines) {
    expect(read(process, machine).length).toBeGreaterThan(4)
    expect(read(port, machine).length).toBeGreaterThan(1)
  }
  const cache = machines.find(({ kind }) => kind === 'cache')!
  const redis = () => read(process, cache).find(({ program }) => program === 'redis-server')!
  expect(redis()).toMatchObject({ user: 'redis', command: expect.stringContaining('6379'), cpu: expect.any(Number) })
  expect(read(port, cache).find((row) => row.port === 6379)).toMatchObject({
    program: 'redis-server',
    address: '127.0.0.1',
  })
  const { ref, pid } = redis()
  const kill = commandLineOf(command('kill', [String(ref)], {})!)
  expect(answer(cache, kill, at)).toBe('')
  expect(redis()).toMatchObject({ since: '2026-11-26T12:00:00.000Z' })
  expect(redis().pid).not.toBe(pid)
  expect(answer(cache, 'ps aux', at)).toBe(null)
})
