import { expect, test, vi } from 'vitest'
import type { ActionContext } from '../define/index.ts'
import { checkInput } from '../fields/index.ts'
import { agentConfigInput, decodeAgentConfig, encodeAgentConfig } from './agent-config.ts'
import { server } from './server.ts'

const config = server.actions.config
const context = (answer: unknown) =>
  ({ api: { send: vi.fn(async () => answer) } }) as unknown as ActionContext & {
    api: { send: ReturnType<typeof vi.fn> }
  }

test('an agent answers its configuration: only what may be changed here is shown', () => {
  const text = JSON.stringify({
    debug: true,
    client_secret: 'never shown',
    uuid: 'nor this',
    report_delay: 2,
    nic_allowlist: { eth0: true, docker0: false },
    ip_report_period: 1800,
    gpu: 'wrong type',
  })
  expect(decodeAgentConfig(text)).toEqual({
    debug: true,
    report_delay: 2,
    ip_report_period: 1800,
    nic_allowlist: ['eth0', 'docker0=no'],
    hard_drive_partition_allowlist: [],
  })
})

test('a value out of bounds on the agent does not keep the form from opening', () =>
  expect(decodeAgentConfig('{"report_delay":60}')).not.toHaveProperty('report_delay'))

test.each(['', 'nonsense', '[]', 'null'])('%j is not a configuration', (text) =>
  expect(() => decodeAgentConfig(text)).toThrow('badAnswer'),
)

test('only the changed keys go to the agent, interfaces as the map it expects', () => {
  expect(encodeAgentConfig({ report_delay: 1 })).toBe('{"report_delay":1}')
  expect(JSON.parse(encodeAgentConfig({ nic_allowlist: ['eth0', 'docker0=no'] }))).toEqual({
    nic_allowlist: { eth0: true, docker0: false },
  })
})

test.each([
  [{ report_delay: 0 }, 'report_delay', 'tooSmall'],
  [{ report_delay: 5 }, 'report_delay', 'tooBig'],
  [{ ip_report_period: 29 }, 'ip_report_period', 'tooSmall'],
  [{ client_secret: 'x' }, 'client_secret', 'unknownKey'],
])('spec section 5: %j is refused', (values, field, code) =>
  expect(checkInput(agentConfigInput(), values)).toMatchObject({ ok: false, problems: [{ field, code }] }),
)

test('one server is read, an empty answer means that its agent is not connected', async () => {
  const one = context('{"debug":true}')
  expect(await config.args!.start(one, [{ id: 7 }])).toMatchObject({ debug: true, report_delay: 3 })
  expect(one.api.send).toHaveBeenCalledWith({ method: 'GET', path: 'server/config/7' })
  await expect(config.args!.start(context(''), [{ id: 7 }])).rejects.toMatchObject({ code: 'agentOffline' })
})

test('several servers are not read: the form starts with the initial values', async () => {
  const several = context(null)
  expect(await config.args!.start(several, [{ id: 7 }, { id: 8 }])).toEqual(config.args!.initial)
  expect(several.api.send).not.toHaveBeenCalled()
})

test('the push names the servers and merges the text', async () => {
  const sent = context({ run_id: 9 })
  expect(await config.run(sent, [{ id: 7 }, { id: 8 }], { debug: true })).toEqual({
    kind: 'sent',
    run: 9,
    changed: [7, 8],
  })
  expect(sent.api.send).toHaveBeenCalledWith({
    method: 'POST',
    path: 'server/config',
    body: { servers: [7, 8], config: '{"debug":true}' },
  })
})
