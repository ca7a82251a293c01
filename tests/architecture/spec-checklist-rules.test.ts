import type { Resource } from '@qd/core/define'
import { checkInput, checkRecord, missingSecrets, parseInput } from '@qd/core/fields'
import {
  account,
  alertRule,
  cron,
  notification,
  notificationGroup,
  server,
  serverGroup,
  service,
  setting,
} from '@qd/core/resources'
import { expect } from 'vitest'
import { says } from './says.ts'

/** The codes of what is wrong with a field when a valid record has this value there. */
function codesOf(resource: Resource, field: string, value: unknown): string[] {
  const checked = checkRecord(resource, { ...valid.get(resource), [field]: value }, null)
  return checked.ok ? [] : checked.problems.filter((problem) => problem.field === field).map(({ code }) => code)
}
const takes = (resource: Resource, field: string, value: unknown) => codesOf(resource, field, value).length === 0

const valid = new Map<Resource, Readonly<Record<string, unknown>>>([
  [cron, { ...cron.initial, name: 'x', command: 'true', scheduler: '0 0 3 * * *' }],
  [service, { ...service.initial, name: 'x', target: 'https://shop.example.net' }],
  [notification, { ...notification.initial, name: 'x', url: 'https://chat.example.net' }],
  [alertRule, { ...alertRule.initial, name: 'x' }],
  [server, { ...server.initial, name: 'x' }],
  [serverGroup, { ...serverGroup.initial, name: 'x' }],
  [notificationGroup, { ...notificationGroup.initial, name: 'x' }],
  [setting, { ...setting.initial, site_name: 'x' }],
  [account, { new_username: 'kim', original_password: 'x', new_password: 'correct horse', reject_password: false }],
])

for (const [resource, record] of valid) {
  if (!checkRecord(resource, record, null).ok) throw new Error(`the record of ${resource.name} is not valid itself`)
}

/** Bounds of a whole number: the nearest that is taken and the nearest that is not; fractions never. */
function wholeFrom(resource: Resource, field: string, least: number): void {
  expect([least - 1, least, least + 0.5].map((value) => takes(resource, field, value))).toEqual([false, true, false])
}

const name: readonly (readonly [Resource, string])[] = [
  [alertRule, 'Alert rule: name at least 1'],
  [cron, 'Task: name at least 1'],
  [notification, 'Notifier: name at least 1'],
  [server, 'Server edit: name at least 1'],
  [service, 'name at least 1; max_latency'],
]
for (const [resource, words] of name) {
  says(5, words, () => expect(['', 'x'].map((value) => takes(resource, 'name', value))).toEqual([false, true]))
}
says(5, 'Notification group and server group: name at least 1', () => {
  for (const group of [notificationGroup, serverGroup])
    expect(['', 'x'].map((value) => takes(group, 'name', value))).toEqual([false, true])
})

says(5, 'new_password 8-72; new_username 1-32', () => {
  const password = (length: number) => takes(account, 'new_password', 'x'.repeat(length))
  expect([7, 8, 72, 73].map(password)).toEqual([false, true, true, false])
  // 8 characters as well as 72 bytes (decisions.md, "Password").
  expect(takes(account, 'new_password', 'ä'.repeat(36))).toBe(true)
  expect(takes(account, 'new_password', 'ä'.repeat(37))).toBe(false)
  expect(takes(account, 'new_password', '密'.repeat(4))).toBe(false)
  const user = (length: number) => takes(account, 'new_username', 'x'.repeat(length))
  expect([0, 1, 32, 33].map(user)).toEqual([false, true, true, false])
})
says(5, "rules text valid JSON ('Invalid JSON string') parsed to an array of items", () => {
  const view = { now: 0, find: () => undefined, title: () => null, all: () => [], referring: () => [], trend: () => [] }
  const read = (text: string) => parseInput(alertRule.fields.rules!, text, { fieldName: 'rules', view })
  expect(read('[{"type":"cpu","max":90,"duration":10,"cover":0}]')).toMatchObject({
    ok: true,
    value: [{ type: 'cpu' }],
  })
  expect(read('[{"type":"cpu"')).toMatchObject({ ok: false, problem: { code: 'notJson' } })
})
says(5, 'items need type and cover (integer >= 0), other fields optional (empty string allowed)', () => {
  const item = { type: 'cpu', max: 90, duration: 10, cover: 0, ignore: {} }
  expect(takes(alertRule, 'rules', [item])).toBe(true)
  expect(takes(alertRule, 'rules', [{ ...item, cover: -1 }])).toBe(false)
  expect(takes(alertRule, 'rules', [{ ...item, type: undefined }])).toBe(false)
  expect(takes(alertRule, 'rules', [{ ...item, min: '', cycle_unit: '' }])).toBe(true)
})
says(5, 'task id lists typed as comma-separated numbers (e.g. 1,2,3), empty parts dropped', () => {
  const row = (id: number) => ({ id, name: `t${id}`, owner: null, created_at: '', updated_at: '' })
  const view = {
    now: 0,
    find: (_: string, id: number) => row(id),
    title: (_: string, id: number) => `t${id}`,
    all: () => [row(1), row(2), row(3)],
    referring: () => [],
    trend: () => [],
  }
  const read = parseInput(alertRule.fields.fail_trigger_tasks!, '1,,2, 3,', { fieldName: 'x', view } as never)
  expect(read).toEqual({ ok: true, value: [1, 2, 3] })
})
says(5, 'Notifier: name at least 1; url valid; request_method and request_type integers 1-255.', () => {
  expect(takes(notification, 'url', 'https://chat.example.net/hook?x=#SERVER.NAME#')).toBe(true)
  expect(['chat', 'ftp://chat.example.net'].map((url) => takes(notification, 'url', url))).toEqual([false, false])
  expect(missingSecrets(notification, { ...valid.get(notification), url: '' })).toMatchObject([{ field: 'url' }])
  for (const field of ['request_method', 'request_type'])
    expect([0, 1, 1.5, 256].map((value) => takes(notification, field, value))).toEqual([false, true, false, false])
})
says(5, 'display_index integer', () =>
  expect([3, -3, 1.5].map((value) => takes(server, 'display_index', value))).toEqual([true, true, false]),
)
says(5, 'cover integer >= 0; duration integer >= 30', () => {
  wholeFrom(service, 'duration', 30)
  wholeFrom(service, 'cover', 0)
})
says(5, 'max_latency and min_latency integers >= 0; type integer >= 0', () => {
  wholeFrom(service, 'max_latency', 0)
  wholeFrom(service, 'min_latency', 0)
  expect([-1, 0.5, 1].map((value) => takes(service, 'type', value))).toEqual([false, false, true])
})
says(5, 'site_name at least 1; language at least 2 characters; user_template at least 1; cover integer >= 1', () => {
  expect(['', 'x'].map((value) => takes(setting, 'site_name', value))).toEqual([false, true])
  expect(['e', 'en-US'].map((value) => takes(setting, 'language', value))).toEqual([false, true])
  expect(['', 'x'].map((value) => takes(setting, 'user_template', value))).toEqual([false, true])
  wholeFrom(setting, 'cover', 1)
})
says(5, 'ip_change_notification_group_id integer >= 0', () => wholeFrom(setting, 'ip_change_notification_group_id', 0))
says(5, 'ip_report_period integer >= 30; report_delay integer 1-4', () => {
  const { input } = server.actions.config.args
  const ok = (values: object) => checkInput(input, values).ok
  expect([29, 30, 30.5].map((ip_report_period) => ok({ ip_report_period }))).toEqual([false, true, false])
  expect([0, 1, 4, 5, 1.5].map((report_delay) => ok({ report_delay }))).toEqual([false, true, true, false, false])
})
