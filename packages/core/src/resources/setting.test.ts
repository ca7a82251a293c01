import { describe, expect, test } from 'vitest'
import { checkInput } from '../fields/index.ts'
import { setting, settingFor } from './setting.ts'

const right = { ...setting.initial, site_name: 'Bridge' }
const problemsOf = (change: object) => {
  const checked = checkInput(setting.input, { ...right, ...change })
  return checked.ok ? [] : checked.problems.map(({ field, code }) => `${field} ${code}`)
}

describe('rules of spec section 5', () => {
  test.each<[object, string[]]>([
    [{}, []],
    [{ site_name: '' }, ['site_name required']],
    [{ language: 'x' }, ['language tooShort']],
    [{ user_template: '' }, ['user_template required']],
    [{ cover: 0 }, ['cover tooSmall']],
    [{ cover: 3 }, ['cover tooBig']],
    [{ ip_change_notification_group_id: -1 }, ['ip_change_notification_group_id tooSmall']],
    [{ ip_change_notification_group_id: 1.5 }, ['ip_change_notification_group_id notInteger']],
    [{ time_zone: 'Nowhere/Else' }, ['time_zone notOption']],
    [{ dns_servers: '9.9.9.9:53, 1.1.1.1,[2620:fe::fe]:53,2620:fe::9' }, []],
    [{ dns_servers: '9.9.9.9:53、1.1.1.1；2620:fe::9' }, []],
    [{ dns_servers: '9.9.9.9:53,dns.quad9.net' }, ['dns_servers notAddress']],
    [{ dns_servers: '10.0.0.0/8' }, ['dns_servers notAddress']],
    [{ dns_servers: '9.9.9.9:0' }, ['dns_servers notAddress']],
    [{ reserved_hosts: 'cdn.example.com, münchen.example:8443' }, []],
    [{ reserved_hosts: 'cdn.example.com，münchen.example:8443' }, []],
    [{ reserved_hosts: 'cdn.example.com,http://x/y' }, ['reserved_hosts notDomain']],
    [{ history_fine_hours: 0 }, ['history_fine_hours tooSmall']],
    [{ history_coarse_days: 1e9 }, ['history_coarse_days tooBig']],
  ])('%j', (change, problems) => expect(problemsOf(change)).toEqual(problems))

  test.each<[string, boolean]>([
    ['10.0.0.0/8', true],
    ['fd00::/8', true],
    ['127.0.0.1', true],
    ['127.0.0.1:8080', true],
    ['::1', true],
    ['[fd00::1]:443', true],
    ['push.lan', true],
    ['push.lan:8080', true],
    ['', false],
    ['http://push.lan', false],
    ['push.lan/path', false],
    ['push lan', false],
    ['*', false],
  ])('%s may be allowed: %s', (entry, isRight) => {
    expect(problemsOf({ outbound_allowlist: [entry] })).toEqual(isRight ? [] : ['outbound_allowlist wrong'])
  })
})

describe('servers whose address changes are told of', () => {
  const read = (config: object) =>
    setting.read.parse(setting.wire.decode({ config, version: '0.1.0' })).ignored_ip_notification
  test('are a text on the wire', () => {
    expect(read({ ignored_ip_notification: '1,2,30' })).toEqual([1, 2, 30])
    expect(setting.wire.encode({ ...right, ignored_ip_notification: [1, 30] })).toMatchObject({
      site_name: 'Bridge',
      ignored_ip_notification: '1,30',
    })
    expect(setting.wire.encode(right)).toMatchObject({ ignored_ip_notification: '' })
  })
  test.each<[unknown, number[]]>([
    ['', []],
    ['1,,x,-2,0,03,4', [1, 4]],
    [undefined, []],
    [null, []],
  ])('%j is %j: what is no id is left out (contract engines 5)', (text, ids) => {
    expect(read({ ignored_ip_notification: text })).toEqual(ids)
  })
  test('a server takes the text, and a list', () => {
    expect(setting.wire.decodeInput({ ignored_ip_notification: '3,4' })).toEqual({ ignored_ip_notification: [3, 4] })
    expect(setting.wire.decodeInput({ ignored_ip_notification: [3] })).toEqual({ ignored_ip_notification: [3] })
    expect(setting.wire.decodeInput({ site_name: 'x' })).toEqual({ site_name: 'x' })
  })
})

test('an answer without its parts is a record all the same', () => {
  expect(setting.read.parse(setting.wire.decode({}))).toMatchObject({
    ...{ id: 1, version: '', history_bytes: null },
    ...{ history_fine_hours: 26, history_middle_days: 8, history_coarse_days: 365 },
  })
})

test.each(['constructor', 'toString', '__proto__'])('no setting solves a failure with the hint %s', (hint) => {
  expect(settingFor({ code: 'failed', params: { hint } })).toBeNull()
})
