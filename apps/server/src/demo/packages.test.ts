import { packages } from '@qd/core/resources'
import { collectCommandOf } from '@qd/protocol/collectors'
import { expect, test } from 'vitest'
import { commandLineOf } from '../act/runs/outcome.ts'
import { createMachines } from './machines.ts'
import { createPackages } from './packages.ts'

const command = await packages.host!.commands()
const parse = await packages.host!.parser()

test('simulated servers have pending updates, and upgrades install them', () => {
  const at = Date.parse('2026-11-26T12:00:00Z')
  const machines = createMachines(at)
  const answer = createPackages()
  const read = (machine: (typeof machines)[number]) => {
    const parsed = parse(answer(machine, collectCommandOf('packages'), at) ?? '')
    return parsed.state === 'read' ? parsed.rows : []
  }
  const states = machines.flatMap(read).map(({ state }) => state)
  expect(new Set(states)).toEqual(new Set(['update', 'security', 'reboot']))
  const machine = machines.find((one) => read(one).filter(({ state }) => state === 'security').length > 1)!
  const run = (action: string, refs: readonly string[]) => answer(machine, commandLineOf(command(action, refs)!), at)
  const first = read(machine).find(({ state }) => state === 'security')!
  expect(run('upgrade', [first.ref as string])).toMatch(`Setting up ${first.name} `)
  expect(read(machine).map(({ name }) => name)).not.toContain(first.name)
  expect(run('upgrade-all', [first.ref as string])).toMatch('Setting up ')
  expect(read(machine).filter(({ state }) => state !== 'reboot')).toEqual([])
  expect(answer(machine, 'apt-get update', at)).toBeNull()
})
