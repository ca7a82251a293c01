import { container } from '@qd/core/resources'
import { collectCommandOf } from '@qd/protocol/collectors'
import { expect, test } from 'vitest'
import { createContainers } from './containers.ts'
import { createMachines } from './machines.ts'

const parse = await container.host!.parser()

test('simulated servers have containers, some of them unhealthy, and actions change them', () => {
  const at = Date.parse('2026-11-26T12:00:00Z')
  const machines = createMachines(at)
  const answer = createContainers()
  const read = (machine: (typeof machines)[number]) => {
    const parsed = parse(answer(machine, collectCommandOf('containers'), at) ?? '')
    return parsed.state === 'read' ? parsed.rows : []
  }
  expect(machines.filter((machine) => read(machine).some(({ state }) => state === 'unhealthy')).length).toBeGreaterThan(
    2,
  )
  const web = machines.find(({ kind }) => kind === 'web')!
  const app = () => read(web).find(({ name }) => name === 'shop-app-1')
  expect(app()).toMatchObject({ project: 'shop', service: 'app', cpu: expect.any(Number), memory: expect.any(Number) })
  expect(answer(web, 'docker stop -- shop-app-1 shop-cache-1', at)).toBe('shop-app-1\nshop-cache-1')
  expect(app()).toMatchObject({ state: 'exited', since: '2026-11-26T12:00:00.000Z', memory: null })
  answer(web, 'docker rm -- shop-app-1', at)
  expect(app()).toBeUndefined()
  expect(answer(web, 'docker ps', at)).toBe(null)
})
