import type { Resource } from '@qd/core/define'
import {
  account,
  alertRule,
  cron,
  ddns,
  nat,
  notification,
  notificationGroup,
  onlineUser,
  server,
  serverGroup,
  service,
  setting,
  user,
  waf,
} from '@qd/core/resources'
import { RequestMethod, RequestType } from '@qd/core/schemas'
import { describe, expect, test } from 'vitest'
import { specSection } from '../support/spec.ts'
import { says } from './says.ts'

/** The names before the first bracket or explanation of each part of `- **Server**: id, name, note (private)`. */
function namesOf(entity: string): string[] {
  const line = new RegExp(`^- \\*\\*${entity}\\*\\*[^:]*: (.*?)(?:\\. [A-Z].*)?\\.?$`, 'm').exec(specSection(3))?.[1]
  if (line === undefined) throw new Error(`section 3 has no ${entity}`)
  return line
    .replace(/\{([^}]*)\}/g, '$1')
    .replace(/\([^()]*\)/g, '')
    .split(/,| and | plus /)
    .map((part) => part.trim())
    .filter((part) => /^[a-z][a-z0-9_.]*$/.test(part))
}

const kept = (resource: Resource) => Object.keys(resource.fields)

/** Fields that the product calls otherwise or keeps inside another, with the reason. */
const otherwise: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Server: { 'host.version': 'host', 'geoip.ip': 'geoip', ipv4_addr: 'geoip', ipv6_addr: 'geoip' },
  'Notification group': { group: 'name' },
  'Server group': { group: 'name' },
  'Service monitor': { enable_show_in_service: 'hide_for_guest' },
}

/** What a later issue builds; a name that is there by now fails. */
const later: Readonly<Record<string, readonly string[]>> = { Settings: ['frontend_templates'] }

describe('3. entities and their fields', () => {
  const entities: readonly [string, Resource][] = [
    ['Profile', account],
    ['Alert rule', alertRule],
    ['Task \\(cron\\)', cron],
    ['DDNS profile', ddns],
    ['NAT profile', nat],
    ['Notifier', notification],
    ['Notification group', notificationGroup],
    ['Server group', serverGroup],
    ['Server', server],
    ['Service monitor', service],
    ['Settings', setting],
    ['Online user', onlineUser],
    ['WAF entry', waf],
  ]
  test.each(entities)('%s has every field', (entity, resource) => {
    const names = namesOf(entity)
    expect(names.length).toBeGreaterThan(1)
    const isLater = (name: string) => later[entity]?.includes(name) === true
    const missing = names.filter((name) => !kept(resource).includes(otherwise[entity]?.[name] ?? name))
    expect(missing.filter((name) => !isLater(name))).toEqual([])
    expect((later[entity] ?? []).filter((name) => kept(resource).includes(name))).toEqual([])
  })

  test('Server agent config has every field', () => {
    const names = namesOf('Server agent config')
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !(name in server.actions.config.args.input.shape))).toEqual([])
  })
})

describe('3. values of fields', () => {
  const optionsOf = (resource: Resource, field: string) => {
    const definition = resource.fields[field]
    return definition?.kind === 'choice' ? definition.options : null
  }

  says(
    3,
    'Ban reason types**: 1 login failed, 2 brute-force token, 3 brute-force agent secret, 4 blocked by user, 5 brute-force OAuth2',
    () => expect(Object.values(optionsOf(waf, 'block_reason')!)).toEqual([1, 2, 3, 4, 5]),
  )
  says(3, 'role (0 admin, 1 user; treated as 0 if missing)', () => {
    expect(optionsOf(account, 'role')).toEqual({ admin: 0, user: 1 })
    expect(account.read.parse({ id: 7, username: 'kim' })).toMatchObject({ role: 0 })
  })
  says(3, 'trigger_mode (0 Always, 1 Once)', () =>
    expect(optionsOf(alertRule, 'trigger_mode')).toEqual({ always: 0, once: 1 }),
  )
  says(3, 'task_type (0 Scheduled, 1 Trigger)', () =>
    expect(optionsOf(cron, 'task_type')).toEqual({ scheduled: 0, triggered: 1 }),
  )
  says(3, 'Task cover: 0 ignore all, 1 cover all, 2 on alert.', () => {
    // Read with an empty list of servers (decisions.md, "Task cover").
    const targets = (cover: number) => cron.targets!({ id: 1, cover, servers: [] })
    expect([0, 1, 2].map(targets).map(({ mode }) => mode)).toEqual(['only', 'except', 'alert'])
  })
  says(3, 'Another labelling of service-style coverage: 1 Excludes, 2 Only.', () =>
    // Settled as that of the settings (decisions.md, "Settings cover").
    expect(Object.values(optionsOf(setting, 'cover')!)).toEqual([1, 2]),
  )
  says(3, '0 only specific servers, 1 excludes specific servers, 2 alarmed server', () => {
    expect(optionsOf(cron, 'cover')).toEqual({ onlyListed: 0, allExcept: 1, onAlert: 2 })
    const targets = (cover: number) => cron.targets!({ id: 1, cover, servers: [3] })
    expect([0, 1, 2].map(targets).map(({ mode, servers }) => [mode, servers])).toEqual([
      ['only', [3]],
      ['except', [3]],
      ['alert', []],
    ])
  })
  says(3, 'Request method labels: 1 GET, 2 POST, 3 PATCH, 4 DELETE, 5 PUT', () => {
    expect(optionsOf(notification, 'request_method')).toBe(RequestMethod)
    expect(RequestMethod).toEqual({ GET: 1, POST: 2, PATCH: 3, DELETE: 4, PUT: 5 })
  })
  says(3, 'Request body type: 1 JSON, 2 Form', () => {
    expect(optionsOf(notification, 'request_type')).toBe(RequestType)
    expect(RequestType).toEqual({ json: 1, form: 2 })
  })
  says(3, 'request_type (1-255; defaults 1 and 1)', () =>
    expect(notification.initial).toMatchObject({ request_method: 1, request_type: 1 }),
  )
  says(3, 'type (1 HTTP GET, 2 ICMP Ping, 3 TCPing; default 1)', () => {
    expect(optionsOf(service, 'type')).toEqual({ http: 1, icmp: 2, tcp: 3 })
    expect(service.initial).toMatchObject({ type: 1 })
  })
  says(3, 'cover (0 cover all, 1 ignore all), skip_servers (map server id to bool)', () => {
    const item = { id: 1, name: 'shop', cover: 0, skip_servers: { 7: true, 8: false } }
    const row = service.read.parse(service.wire.decode(item))
    expect(service.targets!(row)).toEqual({ mode: 'except', servers: [7] })
    expect(service.targets!({ ...row, cover: 1 })).toEqual({ mode: 'only', servers: [7] })
  })
  says(3, 'role (0 admin, 1 user), password on creation', () => {
    expect(optionsOf(user, 'role')).toEqual({ admin: 0, user: 1 })
    expect(user.fields.new_password).toMatchObject({ kind: 'secret', needed: true })
  })
})
