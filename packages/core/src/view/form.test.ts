import { describe, expect, test } from 'vitest'
import { cronRow, now, serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import type { AnyRow, Resource, Viewer } from '../define/index.ts'
import { AppError } from '../errors.ts'
import { createTranslator, loadLanguage } from '../i18n/index.ts'
import { account, cron, notification, run, server, serverGroup, TaskCover, TaskType } from '../resources/index.ts'
import { createForm } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const admin: Viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const member: Viewer = { id: 2, username: 'kim', role: 1, scopes: null }
const servers = [
  serverRow({ id: 1, name: 'web-1' }),
  serverRow({ id: 2, name: 'web-2', seenMsAgo: 3_600_000 }),
  serverRow({ id: 3, name: 'db-1', owner: 2 }),
  serverRow({ id: 4, name: 'new-1', seenMsAgo: null }),
]
const backup = cronRow({ id: 7, name: 'backup', cover: TaskCover.allExcept, servers: [3], last_run_id: 5 })
const ranOn = (...ids: number[]) =>
  run.read.parse({ id: 5, items: ids.map((server_id) => ({ server_id, state: 'success' })) })
const records = { server: servers, cron: [backup], run: [ranOn(1, 9)] }
const view = viewOf(records)

function open(resource: Resource, row: AnyRow | null = null, more: object = {}) {
  return createForm({ resource, mode: row ? 'edit' : 'create', row, view, viewer: admin, translator, ...more })
}
const names = (form: ReturnType<typeof open>) => form.groups().flatMap(({ fields }) => fields.map(({ field }) => field))
const codes = (problems: readonly { field: string; code: string }[]) => problems.map(({ field, code }) => [field, code])

describe('fields', () => {
  test('conditions show and hide them', () => {
    const form = open(cron)
    const tell = ['notification_group_id', 'push_successful']
    const follow = ['server_query', 'follows']
    expect(names(form)).toEqual(['name', 'command', 'task_type', 'scheduler', 'cover', 'servers', ...follow, ...tell])
    form.set('task_type', TaskType.triggered)
    form.set('cover', TaskCover.onAlert)
    expect(names(form)).toEqual(['name', 'command', 'task_type', 'cover', ...follow, ...tell])
  })
  test('say which are required and wide', () => {
    const [what, when] = open(cron).groups()
    expect(what?.fields.map(({ required, wide }) => [required, wide])).toEqual([
      [true, true],
      [true, true],
    ])
    expect(when?.fields.map(({ required }) => required)).toEqual([false, false])
  })
  test('what a condition hides is sent as its initial value and comes back when it is shown again', () => {
    const form = open(cron, backup)
    form.set('task_type', TaskType.triggered)
    expect(form.submit()).toMatchObject({ ok: true, input: { scheduler: '', task_type: TaskType.triggered } })
    form.set('task_type', TaskType.scheduled)
    expect(form.submit()).toMatchObject({ ok: true, input: { scheduler: '0 0 3 * * *' } })
  })
})

describe('secrets', () => {
  const stored = notification.read.parse({ id: 3, name: 'chat', request_method: 2, request_type: 1, has_header: true })
  const problemsOf = (form: ReturnType<typeof open>) => codes(form.problems())

  test('a new record cannot go without the needed one, an edit keeps it', () => {
    const fresh = open(notification)
    fresh.set('name', 'chat')
    expect(problemsOf(fresh)).toEqual([['url', 'required']])
    fresh.setText('url', 'https://chat.example.net')
    expect(problemsOf(fresh)).toEqual([])
    const edited = open(notification, stored)
    expect(problemsOf(edited)).toEqual([])
    expect(edited.submit()).toMatchObject({ ok: true, input: { url: '', request_header: '', request_body: '' } })
  })
  test('which are required says so', () => {
    const required = (form: ReturnType<typeof open>) =>
      form.groups().flatMap(({ fields }) => fields.flatMap((one) => (one.required ? [one.field] : [])))
    expect(required(open(notification))).toEqual(['name', 'url'])
    expect(required(open(notification, stored))).toEqual(['name'])
  })
  test('null clears what may be cleared and is a change; the needed one stays', () => {
    const form = open(notification, stored)
    form.set('request_header', null)
    expect(form.changes()).toEqual(['request_header'])
    expect(form.submit()).toMatchObject({ ok: true, input: { request_header: null } })
    form.set('url', null)
    expect(problemsOf(form)).toEqual([['url', 'required']])
  })
  test('a duplicate has none of the stored ones', () => {
    expect(problemsOf(open(notification, stored, { mode: 'duplicate' }))).toEqual([['url', 'required']])
  })
  test('one that a condition hides is kept', () => {
    const form = open(notification, stored)
    form.setText('request_body', 'x')
    form.set('request_method', 1)
    expect(form.submit()).toMatchObject({ ok: true, input: { request_method: 1, request_body: '' } })
  })
  test('C-04 the line for the CLI never tells one, but that it is cleared', () => {
    const form = open(notification, stored)
    form.set('name', 'other')
    form.setText('url', 'https://secret.example.net/hunter2')
    expect(form.cliLine()).toBe('qd notification edit 3 --name other')
    form.set('request_header', null)
    form.set('request_body', null)
    expect(form.cliLine()).toBe('qd notification edit 3 --name other --clear request-header,request-body')
  })
})

describe('problems', () => {
  test('are shown for fields that were left, all of them after a try to save', () => {
    const form = open(cron)
    expect(form.shownProblems()).toEqual([])
    form.touch('command')
    expect(codes(form.shownProblems())).toEqual([['command', 'required']])
    const result = form.submit()
    expect(result).toMatchObject({ ok: false, first: 'name' })
    expect(codes(form.shownProblems())).toEqual([
      ['name', 'required'],
      ['command', 'required'],
      ['scheduler', 'schedule'],
    ])
    form.set('name', ' backup ')
    form.set('command', 'true')
    form.set('scheduler', '@hourly')
    expect(form.submit()).toMatchObject({ ok: true, input: { name: 'backup', scheduler: '@hourly', servers: [] } })
  })
  test('of the schedule name the reason', () => {
    const form = open(cron, backup)
    form.set('scheduler', '0 0 3 * *')
    expect(form.problems()).toEqual([
      { field: 'scheduler', code: 'schedule', params: { reason: 'fieldCount', found: 5, text: '0 0 3 * *' } },
    ])
  })
  test('of text that cannot be read stay with the text', () => {
    const form = open(server, servers[0])
    form.setText('display_index', '3x')
    expect([form.text('display_index'), form.values().display_index]).toEqual(['3x', 0])
    expect(form.submit()).toMatchObject({ ok: false, first: 'display_index', problems: [{ code: 'notNumber' }] })
    form.setText('display_index', '')
    expect(codes(form.problems())).toEqual([['display_index', 'required']])
    form.setText('display_index', '3')
    expect(form.submit()).toMatchObject({ ok: true, input: { display_index: 3 } })
  })
  test('from the server stand with their field until it is changed', () => {
    const form = open(cron, backup)
    form.refuse(new AppError('invalid', {}, { problems: [{ field: 'name', code: 'mismatch' }] }))
    expect(codes(form.shownProblems())).toEqual([['name', 'mismatch']])
    form.set('name', 'other')
    expect(form.shownProblems()).toEqual([])
    form.refuse(new AppError('invalid', {}, { problems: [{ field: 'name', code: 'mismatch' }] }))
    expect(form.submit().ok).toBe(true)
  })
  test('a field is named once, by what was typed last', () => {
    const form = open(server, servers[0])
    form.set('name', '')
    form.refuse(new AppError('invalid', {}, { problems: [{ field: 'name', code: 'wrong' }] }))
    expect(codes(form.problems())).toEqual([['name', 'wrong']])
  })
})

describe('changes', () => {
  test('name the visible fields that differ', () => {
    const form = open(cron, backup)
    expect(form.changes()).toEqual([])
    form.setText('servers', 'db-1')
    form.set('scheduler', '@daily')
    expect(form.changes()).toEqual(['scheduler'])
    form.set('servers', [1, 3])
    expect(form.changes()).toEqual(['scheduler', 'servers'])
    form.set('scheduler', '0 0 3 * * *')
    expect(form.changes()).toEqual(['servers'])
  })
  test('order of references is no change', () => {
    const group = { id: 1, name: 'web', servers: [1, 2] }
    const form = open(serverGroup, group)
    form.set('servers', [2, 1])
    expect(form.changes()).toEqual([])
  })
})

describe('modes', () => {
  test('an edit keeps its base for If-Match', () => {
    expect(open(cron, backup).base).toBe(backup)
    expect(open(cron, backup, { mode: 'duplicate' }).base).toBeNull()
  })
  test('a duplicate gets a name that is free', () => {
    const copies = [backup, cronRow({ id: 8, name: 'backup copy' }), cronRow({ id: 9, name: 'backup copy 2' })]
    const name = (rows: AnyRow[]) =>
      open(cron, backup, { mode: 'duplicate', view: viewOf({ cron: rows }) }).values().name
    expect([name(copies.slice(0, 1)), name(copies.slice(0, 2)), name(copies)]).toEqual([
      'backup copy',
      'backup copy 2',
      'backup copy 3',
    ])
  })
  test('secrets are blank', () => {
    const profile = { id: 1, username: 'admin', new_username: 'admin', original_password: 'old', new_password: 'new' }
    expect(open(account, profile).values()).toMatchObject({
      new_username: 'admin',
      original_password: '',
      new_password: '',
    })
  })
})

describe('as a line of the CLI', () => {
  test('an edit names what differs', () => {
    const form = open(cron, backup)
    form.set('scheduler', '0 0 4 * * *')
    form.set('servers', [1])
    expect(form.cliLine()).toBe('qd cron edit backup --scheduler "0 0 4 * * *" --servers web-1')
  })
  test('secrets are left out', () => {
    const form = open(account, { id: 1, username: 'admin', new_username: 'admin' })
    form.set('new_password', 'correct horse')
    expect(form.cliLine()).toBe('qd account password')
  })
})

describe('what it will do', () => {
  const targetsOf = (row: AnyRow | null, more: object = {}) => open(cron, row, more).targetPreview()!
  test('names who will miss it, who is left out, and the difference to the last run', () => {
    const targetPreview = targetsOf(backup)
    expect(targetPreview.sentence).toEqual({
      key: 'ui.targets.allExceptOffline',
      params: { total: 3, excepted: 1, count: 2 },
    })
    expect(targetPreview.targets).toMatchObject({ online: [1], offline: [2, 4] })
    expect(targetPreview.offline).toEqual([
      { id: 2, name: 'web-2', lastSeenAt: new Date(now - 3_600_000).toISOString() },
      { id: 4, name: 'new-1', lastSeenAt: null },
    ])
    expect(targetPreview.excepted).toEqual([{ id: 3, name: 'db-1' }])
    expect([targetPreview.more.map(({ name }) => name), targetPreview.fewer.map(({ name }) => name)]).toEqual([
      ['web-2', 'new-1'],
      ['#9'],
    ])
  })
  test('follows what is typed', () => {
    const form = open(cron, backup)
    form.set('cover', TaskCover.onlyListed)
    expect(form.targetPreview()?.sentence).toEqual({ key: 'ui.targets.onlyOne', params: { name: 'db-1' } })
  })
  test('is what the owner may target, not the viewer', () => {
    const owned = (owner: object | null) => cronRow({ id: 1, cover: TaskCover.allExcept, servers: [], owner })
    const kims = { id: 2, username: 'kim', admin: false }
    expect(targetsOf(owned(kims)).targets.ids).toEqual([3])
    expect(targetsOf(owned(null)).targets).toMatchObject({ ids: [1, 2, 3, 4], exact: false })
    expect(targetsOf(owned(null), { viewer: member }).targets).toMatchObject({ ids: [3], exact: true })
    const fresh = open(cron, null, { viewer: member })
    fresh.set('cover', TaskCover.allExcept)
    expect(fresh.targetPreview()?.targets.ids).toEqual([3])
  })
  test('a resource without targets or schedule has no preview', () => {
    const form = open(server, servers[0])
    expect([form.targetPreview(), form.runs()]).toEqual([null, null])
  })
  test('names the next five runs in the server’s zone', () => {
    const setting = { id: 1, time_zone: '', effective_time_zone: 'Europe/Berlin' }
    const runs = open(cron, backup, { view: viewOf({ ...records, setting: [setting] }) }).runs()!
    expect(runs.timeZone).toBe('Europe/Berlin')
    expect(runs.runs.map((at) => new Date(at).toISOString().slice(5, 16))).toEqual([
      '11-21T02:00',
      '11-22T02:00',
      '11-23T02:00',
      '11-24T02:00',
      '11-25T02:00',
    ])
  })
  test('an interval counts from when it was set, a changed one from now', () => {
    const times = { schedule_set_at: '2026-11-20T13:25:00Z', updated_at: '2026-11-20T13:31:00Z' }
    const row = cronRow({ id: 1, scheduler: '@every 10m', ...times })
    expect(cron.derived.next_run_at!(row, viewOf({}))).toBe('2026-11-20T13:35:00.000Z')
    const form = open(cron, row)
    expect(form.runs()?.runs[0]).toBe(Date.parse('2026-11-20T13:35:00Z'))
    form.set('scheduler', '@every 20m')
    expect(form.runs()?.runs[0]).toBe(now + 20 * 60_000)
  })
  test('no runs while the schedule is wrong or not asked for', () => {
    const form = open(cron, backup)
    form.set('scheduler', 'soon')
    expect(form.runs()).toMatchObject({ runs: [], problem: { code: 'fieldCount' } })
    form.set('task_type', TaskType.triggered)
    expect(form.runs()).toBeNull()
  })
})
