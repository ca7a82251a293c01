import { unit } from '@qd/core/resources'
import { collectCommandOf } from '@qd/protocol/collectors'
import { expect, test } from 'vitest'
import { createMachines } from './machines.ts'
import { createUnits } from './units.ts'

const parse = await unit.host!.parser()

test('simulated servers have units, and actions change them', () => {
  const at = Date.parse('2026-11-26T12:00:00Z')
  const machines = createMachines(at)
  const answer = createUnits()
  const read = (machine: (typeof machines)[number]) => {
    const parsed = parse(answer(machine, collectCommandOf('units'), at) ?? '')
    if (parsed.state !== 'read') throw new Error(parsed.state)
    return parsed.rows
  }
  const failed = machines.filter((machine) => read(machine).some(({ state }) => state === 'failed'))
  expect(failed.length).toBeGreaterThan(2)
  const web = machines.find(({ kind }) => kind === 'web')!
  const nginx = () => read(web).find(({ name }) => name === 'nginx.service')
  expect(nginx()).toMatchObject({ state: 'active', sub: 'running', enabled: 'enabled', memory: expect.any(Number) })
  expect(answer(web, 'systemctl stop -- nginx.service php8.4-fpm.service', at)).toBe('')
  expect(nginx()).toMatchObject({ state: 'inactive', since: '2026-11-26T12:00:00.000Z', memory: null })
  expect(answer(web, 'systemctl is-active nginx', at)).toBe(null)
})
