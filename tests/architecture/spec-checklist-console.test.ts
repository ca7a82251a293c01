import { actionState, unchosenText } from '@qd/core/actions'
import { createClient, createCookieJar, type Fetch } from '@qd/core/api'
import { tabKey } from '@qd/core/define'
import { AppError } from '@qd/core/errors'
import { machineValue } from '@qd/core/fields'
import { createTranslator, errorText, languages, loadLanguage, parseLanguage } from '@qd/core/i18n'
import { account, alertRule, cron, notification, resources, server, service, setting, waf } from '@qd/core/resources'
import { nextRuns, parseSchedule } from '@qd/core/schemas'
import { describe, expect, test } from 'vitest'
import { specSection } from '../support/spec.ts'
import { says } from './says.ts'

const bundle = await loadLanguage('en-US')
const english = createTranslator({ language: 'en-US', bundles: { 'en-US': bundle } })
const viewer = { id: 1, username: 'admin', role: 0, scopes: null }
const view = { now: 0, find: () => undefined, title: () => null, all: () => [], referring: () => [], trend: () => [] }
const around = { viewer, view: { ...view, now: Date.UTC(2026, 10, 22) }, supports: () => true }
const context = (api: object) => ({ api, viewer, view }) as never

describe('1. languages', () => {
  says(1, 'translated into 8 languages: zh-CN, zh-TW, en-US, ru-RU, es-ES, de-DE, ta-IN, it-IT', () => {
    const named = /languages: (.*?)\./.exec(specSection(1))![1]!.split(', ')
    expect([...languages].sort()).toEqual(named.sort())
    expect(setting.fields.language).toMatchObject({ kind: 'choice' })
  })
  says(1, 'en-US is the default and the fallback', () => {
    expect(parseLanguage('xx')).toBe(null)
    expect(setting.initial.language).toBe('en-US')
    const german = createTranslator({ language: 'de-DE', bundles: { 'en-US': bundle } })
    expect(german.t('ui.confirm.deletion')).toBe(english.t('ui.confirm.deletion'))
  })
  says(1, "Items flagged hide_for_guest (shown as 'Hidden from Visitors')", () => {
    for (const resource of [server, service]) {
      expect(resource.fields.hide_for_guest).toMatchObject({ kind: 'flag' })
      expect(english.say(`resources.${resource.name}.fields.hide_for_guest`)).toBe('Hidden from Visitors')
    }
  })
})

describe('1. what is managed', () => {
  says(1, 'It manages: servers, server groups, services (HTTP GET, ICMP ping and TCP ping checks)', () => {
    const named = 'server server-group service cron alert-rule notification notification-group ddns nat user waf'
    const names = resources.map(({ name }) => String(name))
    expect([...named.split(' '), 'online-user', 'setting'].filter((name) => !names.includes(name))).toEqual([])
    expect(service.fields.type).toMatchObject({ options: { http: 1, icmp: 2, tcp: 3 } })
    expect(cron.fields.task_type).toMatchObject({ options: { scheduled: 0, triggered: 1 } })
  })
})

describe('2. screens and routes', () => {
  says(2, 'All routes lie under /dashboard.', () =>
    expect(resources.map(({ path }) => path).filter((path) => !/^\/dashboard(\/|$)/.test(path))).toEqual([]),
  )
  const routes = [...specSection(2).matchAll(/^\| (\/dashboard\S*) \|/gm)].map(([, path]) => path!)
  const other = ['/dashboard/login', '/dashboard/terminal/{id}']

  test('every route of the table is that of a definition, or of a screen of its own', () => {
    expect(routes.length).toBeGreaterThan(14)
    const paths = resources.map(({ path }) => path)
    expect(routes.filter((path) => !paths.includes(path) && !other.includes(path))).toEqual([])
  })
  says(2, 'tabs Server, Service, Task, Notification (also active on alert-rule)', () => {
    const tabs = resources.filter(
      ({ place, path }) => place === 'tab' && path !== setting.path && path !== account.path,
    )
    const labels = tabs.map(({ family, name, tab }) =>
      english.say(family === null ? tabKey({ name, tab }) : `ui.families.${family}`),
    )
    expect([...new Set(labels)].slice(0, 7)).toEqual([
      'Server',
      'Service',
      'Task',
      'Notification',
      'DDNS',
      'NAT',
      'Group',
    ])
    expect(alertRule.family).toBe(notification.family)
  })
  says(2, "Destructive actions (delete, block) need a confirmation dialog titled 'Confirm Deletion?'", () => {
    const deleting = resources.flatMap((resource) =>
      resource.wire.verbs.includes('delete') ? [resource.actions.delete!] : [],
    )
    expect(deleting.length).toBeGreaterThan(6)
    expect(deleting.filter(({ confirm }) => confirm === null)).toEqual([])
  })
  says(2, 'Table columns: select, ID, Name, Notifier group, Trigger mode, Rules (copy-to-clipboard)', async () => {
    const shown = alertRule.columns.map(({ field }) => field)
    for (const field of ['name', 'notification_group_id', 'trigger_mode', 'rules', 'enable'])
      expect(shown).toContain(field)
    for (const field of ['fail_trigger_tasks', 'recover_trigger_tasks']) expect(shown).toContain(field)
    const rules = [{ type: 'cpu', max: 90, duration: 10, cover: 0 }]
    const copy = Object.values(alertRule.actions).find(({ icon }) => icon === 'copy')!
    expect(await copy.run(context({}), [{ id: 1, rules } as never], {})).toEqual({
      kind: 'copy',
      text: JSON.stringify(rules),
    })
  })
})

describe('4. sign-in', () => {
  const day = 86_400_000
  const start = Date.UTC(2026, 10, 22)

  /** A client on a fake network and clock; `paths` are the calls so far. */
  function world() {
    const state = { now: start, paths: [] as string[] }
    const jar = createCookieJar({ 'nz-jwt': 'a', 'nz-csrf': 'b' })
    const fetch: Fetch = async ({ url }) => {
      state.paths.push(url.slice(url.indexOf('/api/v1/') + 8))
      const data = { expire: new Date(state.now + 30 * day).toISOString(), capabilities: ['logout'] }
      const text = JSON.stringify({ success: true, data })
      return { status: 200, headers: { get: () => null }, setCookies: [], text: async () => text }
    }
    const ports = { fetch, now: () => state.now, random: () => 0, setTimer: () => () => undefined }
    const client = createClient({
      ports,
      baseUrl: 'http://x',
      credentials: { kind: 'jar', jar },
      lifetime: { refreshAt: start + 15 * day, expiresAt: start + 30 * day },
    })
    return { state, jar, client }
  }

  says(4, 'a refresh call is made (at most once per hour)', async () => {
    const { state, client } = world()
    const look = async () => {
      await client.send({ method: 'GET', path: 'server' })
      await client.idle()
      return state.paths.filter((path) => path === 'refresh-token').length
    }
    expect(await look()).toBe(0)
    state.now = start + 15 * day + 1
    expect([await look(), await look()]).toEqual([1, 1])
    state.now += 3_600_000
    expect(await look()).toBe(1)
  })
  says(4, 'Logout: cookies cleared, profile cleared, go to /dashboard/login.', async () => {
    const { jar, client } = world()
    const outcome = await account.actions['sign-out'].run(context(client), [], {})
    expect(jar.export()).toEqual({})
    expect(outcome).toEqual({ kind: 'open', screen: 'login', id: null })
  })
})

describe('5. and 8. what is refused, and how it is said', () => {
  const sentence = (code: ConstructorParameters<typeof AppError>[0]) => errorText(english, new AppError(code)).title
  const reasonFor = (name: string, rows: readonly object[]) =>
    actionState(server.actions[name]!, rows as never, around).reason?.key

  says(5, "Bulk delete with nothing selected: 'No rows are selected'", () =>
    expect(english.say(unchosenText(server.actions.delete))).toBe('No rows are selected'),
  )
  says(5, "Results.SelectAtLeastOneServer, 'Please select at least one server.'", () => {
    expect(english.say(unchosenText(server.actions['force-update']))).toBe('Please select at least one server.')
    expect(english.say(reasonFor('force-update', [])!)).toBe('Please select at least one server.')
  })
  says(8, 'Unexpected error, Please see the console for details.', () =>
    expect(sentence('internal')).toBe('Unexpected error, Please see the console for details.'),
  )
  says(8, 'The Agent docking address has not been filled in in the settings.', () =>
    expect(sentence('installHostRequired')).toBe('The Agent docking address has not been filled in in the settings.'),
  )
  says(8, "Terminal not online: 'The server does not exist or has not been connected yet'", () => {
    const away = server.read.parse({ id: 7, name: 'db-1', last_active: '2026-11-21T00:00:00Z' })
    expect(english.say(reasonFor('shell', [away])!)).toBe('The server does not exist or has not been connected yet')
  })
  says(8, "Task triggered: Success toast 'The task triggered successfully'", () =>
    expect(english.t('ui.toast.triggered')).toBe('The task triggered successfully'),
  )
})

describe('9. constants', () => {
  says(9, 'Time displays use ISO strings; the WAF time is in seconds.', () => {
    const at = '2026-11-22T03:00:00.000Z'
    const row = { id: 1, block_timestamp: Date.parse(at) / 1000 }
    expect(waf.derived.since!(row as never, view)).toBe(at)
    // decisions.md, "Times": short in lists, ISO 8601 for machines.
    expect(machineValue(waf.fields.since!, at)).toBe(at)
  })
  says(9, 'Cron example 0 0 3 * * * (six fields, seconds first).', () => {
    const parsed = parseSchedule('0 0 3 * * *')
    if (!parsed.ok) throw new Error('the example cannot be read')
    const [next] = nextRuns(parsed.schedule, { from: Date.UTC(2026, 10, 22), count: 1, timeZone: 'UTC', since: 0 })
    expect(new Date(next!).toISOString()).toBe('2026-11-22T03:00:00.000Z')
    expect(parseSchedule('0 3 * * *').ok).toBe(false)
  })
  says(9, 'Service duration minimum 30 s (default 30), default type 1.', () =>
    expect(service.initial).toMatchObject({ duration: 30, type: 1 }),
  )
  says(9, 'Notifier defaults request_method 1, request_type 1.', () =>
    expect(notification.initial).toMatchObject({ request_method: 1, request_type: 1 }),
  )
  says(9, 'Cover options: tasks 0 ignore all, 1 cover all, 2 on alert', () =>
    expect(Object.values((cron.fields.cover as { options: object }).options)).toEqual([0, 1, 2]),
  )
  says(9, 'Default language en-US.', () => expect(setting.initial.language).toBe('en-US'))
})
