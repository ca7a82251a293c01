import { checkRecord, parseInput } from '@qd/core/fields'
import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { account, alertRule, ddns, nat, notification, onlineUser, server, service, user, waf } from '@qd/core/resources'
import { RequestMethod } from '@qd/core/schemas'
import { createRemembered } from '@qd/core/store'
import { filePieceBytes } from '@qd/protocol/files'
import { describe, expect } from 'vitest'
import { says } from './says.ts'

const english = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const view = { now: 0, find: () => undefined, title: () => null, all: () => [], referring: () => [], trend: () => [] }

const valid = {
  ddns: { ...ddns.initial, name: 'x', domains: ['a.example.net'] },
  nat: { ...nat.initial, name: 'x', server_id: 1, host: '127.0.0.1:80', domain: 'a.example.net' },
  user: { ...user.initial, username: 'x', new_password: 'correct horse' },
  server: { ...server.initial, name: 'x' },
  service: { ...service.initial, name: 'x', target: 'https://a.example.net' },
}
const all = { ddns, nat, user, server, service }
/** Whether a record that is valid else is taken with each of these values. */
const takes = (name: keyof typeof valid, field: string, values: readonly unknown[]) =>
  values.map((value) => checkRecord(all[name], { ...valid[name], [field]: value }, null).ok)

for (const name of Object.keys(valid) as (keyof typeof valid)[])
  if (!checkRecord(all[name], valid[name], null).ok) throw new Error(`the record of ${name} is not valid itself`)

describe('3. fields', () => {
  says(3, 'cycle_unit (hour, day, week, month, year)', () => {
    const item = {
      type: 'transfer_all_cycle',
      cover: 0,
      cycle_start: '2026-01-01T00:00:00Z',
      cycle_interval: 1,
      max: 1,
    }
    const rule = (cycle_unit: string) => ({ ...alertRule.initial, name: 'x', rules: [{ ...item, cycle_unit }] })
    const taken = (unit: string) => checkRecord(alertRule, rule(unit), null).ok
    expect(['hour', 'day', 'week', 'month', 'year'].map(taken)).toEqual([true, true, true, true, true])
  })
  says(3, 'domains (list; entered comma-separated as domains_raw)', () =>
    expect(
      parseInput(ddns.fields.domains!, 'a.example.net, b.example.net', { fieldName: 'domains', view } as never),
    ).toEqual({ ok: true, value: ['a.example.net', 'b.example.net'] }),
  )
  says(3, 'skip_check (do not send a test message)', () => {
    expect(notification.fields.skip_check).toMatchObject({ kind: 'flag' })
    expect(notification.fields.verify_tls).toMatchObject({ kind: 'flag' })
  })
  says(3, 'block_timestamp (seconds)', () => {
    const row = { id: 1, block_timestamp: Date.parse('2026-11-22T00:00:00Z') / 1000 }
    expect(waf.derived.since!(row as never, view)).toBe('2026-11-22T00:00:00.000Z')
  })
})

describe('5. what is refused', () => {
  says(5, 'username at least 1; role 0 or 1 (default 1); password 8-72', () => {
    expect(takes('user', 'username', ['', 'x'])).toEqual([false, true])
    expect(takes('user', 'role', [0, 1, 2, null])).toEqual([true, true, false, false])
    expect(user.initial.role).toBe(1)
    expect(takes('user', 'new_password', ['x'.repeat(7), 'x'.repeat(8), 'x'.repeat(72), 'x'.repeat(73)])).toEqual([
      ...[false, true, true, false],
    ])
  })
  says(5, 'max_retries integer >= 1; name at least 1; webhook_url valid URL when given', () => {
    expect(takes('ddns', 'max_retries', [0, 1, 1.5, 3])).toEqual([false, true, false, true])
    expect(takes('ddns', 'name', ['', 'x'])).toEqual([false, true])
    expect(takes('ddns', 'webhook_url', ['', 'https://a.example.net/x', 'nonsense'])).toEqual([true, true, false])
  })
  says(5, 'webhook_method and webhook_request_type integers 1-255 when given', () => {
    expect(takes('ddns', 'webhook_method', Object.values(RequestMethod)).every(Boolean)).toBe(true)
    for (const field of ['webhook_method', 'webhook_request_type'])
      expect(takes('ddns', field, [0, 1, 1.5, 256])).toEqual([false, true, false, false])
  })
  says(5, 'NAT: name at least 1; server_id integer', () => {
    expect(takes('nat', 'name', ['', 'x'])).toEqual([false, true])
    expect(takes('nat', 'server_id', [1, 1.5, '1'])).toEqual([true, false, false])
  })
  says(5, "override domains text valid JSON ('Invalid JSON string')", () => {
    expect(takes('server', 'override_ddns_domains', [{ 1: ['a.example.net'] }, { x: [] }, []])).toEqual([
      ...[true, false, false],
    ])
    expect(english.say('errors.problem.notJson')).toMatch(/JSON/)
  })
  says(5, "'Password cannot be empty.', 'Username must be at least {{number}} characters.'", () => {
    expect(english.t('ui.login.passwordRequired')).toBe('Password cannot be empty.')
    expect(english.t('ui.login.usernameMin', { number: 2 })).toBe('Username must be at least 2 characters.')
  })
  says(5, "Copying empty text: warning 'Text is empty'", () =>
    expect(english.say('ui.toast.textEmpty')).toBe('Text is empty'),
  )
})

describe('6. roles', () => {
  says(6, 'Block and delete actions on online-user and WAF lists appear only for admins', () => {
    const actions = [onlineUser, waf].flatMap((resource) => Object.values(resource.actions))
    const changing = actions.filter(({ wire }) => wire !== null && wire.method !== 'GET')
    expect(changing.map(({ name }) => name).sort()).toEqual(['block', 'block', 'unblock'])
    expect(changing.filter(({ audience }) => audience !== 'admin')).toEqual([])
  })
  says(6, 'The new-user dialog lets an admin choose admin or user', () =>
    expect(user.form.flatMap(({ fields }) => fields.map(({ field }) => field))).toContain('role'),
  )
})

describe('9. constants', () => {
  says(9, 'Upload chunk 1048576 bytes', () => expect(filePieceBytes).toBe(1_048_576))
  says(9, 'DDNS max_retries default 3, provider default dummy.', () =>
    expect(ddns.initial).toMatchObject({ max_retries: 3, provider: 'dummy' }),
  )
  says(9, 'Passwords: new 8-72, original 5-72; profile username up to 32.', () => {
    const record = {
      ...account.initial,
      new_username: 'x'.repeat(32),
      original_password: 'x',
      new_password: 'x'.repeat(72),
    }
    expect(checkRecord(account, record, null).ok).toBe(true)
    expect(checkRecord(account, { ...record, new_username: 'x'.repeat(33) }, null).ok).toBe(false)
  })
  says(9, 'services 0 cover all, 1 ignore all', () => {
    const targets = (cover: number) =>
      service.targets!({ ...valid.service, id: 1, cover, skip_servers: { 7: true } } as never)
    expect([0, 1].map((cover) => targets(cover).mode)).toEqual(['except', 'only'])
  })
  says(9, 'Local storage keys: language, stores main, notification and server', () => {
    const written: string[] = []
    const storage = { get: () => null, set: (key: string) => void written.push(key), delete: () => undefined }
    const remembered = createRemembered({ storage, setTimer: () => () => undefined })
    for (const key of ['main', 'notification', 'server'] as const) remembered.write(key, 'x', 1)
    remembered.flush()
    expect(written.sort()).toEqual(['main', 'notification', 'server'])
  })
})
