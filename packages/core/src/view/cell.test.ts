import { describe, expect, test } from 'vitest'
import { cronRow, serverRow, viewOf } from '../../../../tests/support/core/rows.ts'
import { createFormat, createTranslator, loadLanguage } from '../i18n/index.ts'
import {
  cron,
  maintenanceWindow,
  onlineUser,
  run,
  server,
  serverGroup,
  service,
  TaskCover,
  TaskType,
} from '../resources/index.ts'
import { matches, parseSelection } from '../targets/index.ts'
import { attentionText, changesText, createForm, formTargetsTexts, presentCell, rowStatus, runsTexts } from './index.ts'

const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
const servers = [
  serverRow({ id: 1, name: 'web-1', cpu: 96 }),
  serverRow({ id: 2, name: 'web-2', seenMsAgo: 11_520_000 }),
  serverRow({ id: 3, name: 'new-1', seenMsAgo: null }),
  serverRow({ id: 4, name: 'web-4' }),
]
const surface = {
  translator,
  format: createFormat({ translator, timeZone: 'UTC' }),
  view: viewOf({ server: servers, 'server-group': [{ id: 1, name: 'web', servers: [1, 2] }] }),
  viewer: { id: 1, username: 'admin', role: 0, scopes: null },
}

describe('cells', () => {
  test.each([
    ['cpu', '96', 'bad'],
    ['groups', 'web', 'plain'],
    ['address', 'none', 'muted'],
    ['uptime', '2 h 6 min', 'plain'],
    ['status', 'warning', 'warn'],
  ])('%s of a server', (field, text, tone) => {
    expect(presentCell(surface, { resource: server, row: servers[0]!, field })).toMatchObject({ text, tone })
  })
  test.each([
    [40 * 86_400, '40 d', 'plain', false],
    [365 * 86_400, '–', 'muted', false],
    [0, '0 s', 'bad', true],
  ])('a server whose first filesystem is full in %d s', (fs_full_in, text, tone, isSoon) => {
    const row = { ...servers[0]!, watched: { fs_full_in } }
    const view = viewOf({ server: [row] })
    expect(presentCell(surface, { resource: server, row, field: 'fs_full_in' })).toMatchObject({ text, tone })
    const parsed = parseSelection(server, 'fs_full_in<14d')
    expect(parsed.ok && matches(parsed.selection, server, row, view)).toBe(isSoon)
  })
  test('targets are said in words', () => {
    const row = cronRow({ id: 1, cover: TaskCover.allExcept, servers: [1] })
    const shown = presentCell(surface, { resource: cron, row, field: 'reach' })
    expect(shown.text).toBe('All servers except 1 (3), 2 offline')
    const group = { id: 1, name: 'web', servers: [1], owner: null }
    expect(presentCell(surface, { resource: serverGroup, row: group, field: 'reach' }).text).toContain('web-1')
  })
  test.each([
    [{}, 'visitor'],
    [{ user_id: 1 }, 'another user'],
    [{ user_id: 1, username: 'admin' }, 'admin'],
  ])('issue 36.35 who is connected is a visitor only without an account: %j', (told, text) => {
    const row = onlineUser.read.parse({ id: 1, ip: '192.****.2', ...told })
    expect(presentCell(surface, { resource: onlineUser, row, field: 'username' }).text).toBe(text)
  })
  test('issue 36.37 a limit of 0 ms is none', () => {
    const row = service.read.parse({ id: 1, min_latency: 0, max_latency: 250 })
    const said = (field: string) => presentCell(surface, { resource: service, row, field }).text
    expect([said('min_latency'), said('max_latency')]).toEqual(['no limit', '250 ms'])
  })
  test('a record without a name is said to have none; of other texts there is none', () => {
    const group = { id: 1, name: '', servers: [], owner: null }
    expect(presentCell(surface, { resource: serverGroup, row: group, field: 'name' })).toMatchObject({
      text: '(no name)',
      tone: 'muted',
    })
    const typed = { resource: server, row: servers[0]!, field: 'note', value: '' }
    expect(presentCell(surface, typed)).toMatchObject({ text: 'none' })
  })
  test.each([
    [{ success: 116, failure: 1 }, '1 of 117 failed'],
    [{ success: 3, no_answer: 2 }, '2 of 5 no answer'],
    [{ success: 1, failure: 4, no_answer: 2, running: 3 }, '4 of 10 failed, 2 no answer'],
    [{ failure: 1 }, 'failure'],
    [{}, 'failure'],
    [undefined, 'failure'],
  ])('issue 18: of a failed run %j a task says “%s”', (counts, text) => {
    const last = { last_executed_at: '2026-03-01T12:00:00Z', last_result: false, last_run_id: 7 }
    const none = { waiting: 0, sent: 0, running: 0, success: 0, failure: 0, no_answer: 0 }
    const row = { ...cronRow({ id: 1 }), ...last, last_counts: counts && { ...none, ...counts } }
    expect(presentCell(surface, { resource: cron, row, field: 'last_state' })).toMatchObject({ text, tone: 'bad' })
    // What has no run of a ledger says nothing of servers, whatever it is sent with.
    const claimed = presentCell(surface, { resource: cron, row: { ...row, last_run_id: 0 }, field: 'last_state' })
    expect(claimed).toMatchObject({ text: 'result not reported', tone: 'muted' })
    const well = presentCell(surface, { resource: cron, row: { ...row, last_result: true }, field: 'last_state' })
    expect(well).toMatchObject({ text: 'success', tone: 'ok' })
  })
  test('what is typed but not saved is shown with the record around it', () => {
    const typed = { resource: server, row: servers[0]!, field: 'cpu', value: 80 }
    expect(presentCell(surface, typed)).toMatchObject({ text: '80', tone: 'warn' })
  })
})

test('a triggered task has no schedule and no next run, but says what starts it', () => {
  const row = cronRow({ id: 1, task_type: TaskType.triggered, cover: TaskCover.onAlert, scheduler: '' })
  const text = (field: string) => presentCell(surface, { resource: cron, row, field }).text
  expect(text('scheduler')).toBe('triggered')
  expect(text('next_run_at')).toBe('on alert')
  expect(text('last_executed_at')).toBe('never')
})

describe('status', () => {
  test.each([
    [0, { option: 'warning', tone: 'warn', word: 'warning', cause: 'CPU 96%', absence: null }],
    [
      1,
      {
        option: 'offline',
        tone: 'bad',
        cause: null,
        absence: 'Offline. Last seen 10:20, 3 h 12 min ago; its agent is not connected',
      },
    ],
    [2, { option: 'never', tone: 'muted', absence: 'Never seen. Created Wed 13:32, 2 d ago; waiting for its agent' }],
    [3, { option: 'online', tone: 'ok', word: 'online', cause: null, absence: null }],
  ])('of server %d', (index, status) => {
    expect(rowStatus(surface, server, servers[index]!)).toMatchObject(status)
  })
  test('issue 12.5: a warning that the server holds says since when, and one sample alone makes none', () => {
    const held = (since: string | null) => rowStatus(surface, server, { ...servers[0]!, pressure: { since } })
    expect(held('2026-11-20T13:27:07Z')).toMatchObject({ option: 'warning', cause: 'CPU 96%, 5 min' })
    expect(held(null)).toMatchObject({ option: 'online', cause: null })
    const calm = { ...servers[3]!, pressure: { since: '2026-11-20T13:32:00Z' } }
    expect(rowStatus(surface, server, calm)).toMatchObject({ option: 'warning', cause: 'disk 50%, 7 s' })
  })
  test('issue 12, looks: an offline server whose agent has gone says that it is not connected', () => {
    const gone = { ...servers[1]!, last_active: null }
    expect(rowStatus(surface, server, gone)?.absence).toBe(
      'Offline. Last seen 10:20, 3 h 12 min ago; its agent is not connected',
    )
  })
  test('only where a resource has states', () => expect(rowStatus(surface, cron, cronRow({ id: 1 }))).toBeNull())
})

describe('words of a form’s preview', () => {
  const row = cronRow({ id: 7, cover: TaskCover.allExcept, servers: [4], last_run_id: 5, scheduler: '0 0 3 * * *' })
  const last = run.read.parse({ id: 5, items: [{ server_id: 1, state: 'success' }] })
  const view = viewOf({ server: servers, run: [last] })
  const form = createForm({ resource: cron, mode: 'edit', row, view, viewer: surface.viewer, translator })

  test('say who runs, who misses it and what is new', () => {
    expect(formTargetsTexts(surface, form.targetPreview()!)).toMatchObject({
      sentence: 'All servers except 1 (3), 2 offline',
      counts: [{ text: '1 online, will run' }, { text: '2 offline, will miss it' }, { text: '1 excluded' }],
      missing: [{ gone: '3 h 12 min' }, { gone: 'never' }],
      changes: ['2 more than the last run: web-2, new-1'],
    })
  })
  test.each([
    ['a task of no server', cron, { cover: TaskCover.onlyListed, servers: [] }, true],
    ['a task of all servers but all', cron, { cover: TaskCover.allExcept, servers: [1, 2, 3, 4] }, true],
    ['a task of one server', cron, { cover: TaskCover.onlyListed, servers: [1] }, false],
    ['a task of whoever raised the alert', cron, { task_type: TaskType.triggered, cover: TaskCover.onAlert }, false],
    ['a window of nothing', maintenanceWindow, {}, true],
    ['a window of a service', maintenanceWindow, { services: [3] }, false],
    ['a service that nobody looks at', service, { cover: 1 }, true],
    ['an empty group', serverGroup, {}, false],
  ])('issue 12.11: %s: that it does nothing is said before it is saved', (_what, resource, values, isIdle) => {
    const typed = createForm({ resource, mode: 'create', row: null, view, viewer: surface.viewer, translator })
    for (const [field, value] of Object.entries(values)) typed.set(field, value)
    const idle = isIdle ? translator.t('ui.preview.idle') : null
    expect(formTargetsTexts(surface, typed.targetPreview()!).idle).toBe(idle)
  })
  test('say when, and in whose zone', () => {
    const texts = runsTexts(surface, form.runs()!)
    expect(texts.runs[0]).toMatchObject({ text: 'Sat, Nov 21, 03:00:00', distance: 'in 13 h 27 min' })
    expect(texts).toMatchObject({ zone: 'Your time zone, UTC, is the same as the server’s.', none: null })
    const berlin = { ...surface, format: createFormat({ translator, timeZone: 'Europe/Berlin' }) }
    expect(runsTexts(berlin, form.runs()!).zone).toBe('Times are in your time zone, UTC+1. The server uses UTC.')
  })
  test('issue 10.7: a zone that has the same distance today and another one later is named', () => {
    const lagos = { id: 1, time_zone: '', effective_time_zone: 'Africa/Lagos' }
    const quarterly = { ...row, scheduler: '0 0 3 1 */6 *' }
    const counted = viewOf({ server: servers, setting: [lagos] })
    const shown = createForm({
      resource: cron,
      mode: 'edit',
      row: quarterly,
      view: counted,
      viewer: surface.viewer,
      translator,
    })
    const berlin = { ...surface, format: createFormat({ translator, timeZone: 'Europe/Berlin' }) }
    expect(runsTexts(berlin, shown.runs()!).zone).toBe(
      'Times are in your time zone, UTC+1. The server uses Africa/Lagos.',
    )
  })
  test('count changes and what needs attention', () => {
    expect([changesText(surface, form), attentionText(surface, form)]).toEqual([null, null])
    form.set('scheduler', 'soon')
    form.submit()
    expect([changesText(surface, form), attentionText(surface, form)]).toEqual([
      '1 change: Schedule',
      '1 field needs attention',
    ])
    expect(runsTexts(surface, form.runs()!)).toMatchObject({ runs: [], none: translator.t('ui.preview.noRuns') })
  })
})
