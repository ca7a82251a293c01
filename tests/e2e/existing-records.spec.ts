import { expect, type Locator, type Page } from '@playwright/test'
import type { Expected, Replay } from '../support/replay/replay.ts'
import { goTo, signIn, test } from './existing.ts'

type Change = readonly [
  path: string,
  row: RegExp,
  file: string,
  step: string,
  expected: Expected,
  filled?: readonly Fill[],
]

/** One field of a form, filled as a person does it. */
type Fill = (form: Locator) => Promise<void>
const text =
  (label: string, value: string): Fill =>
  (form) =>
    form.getByLabel(label, { exact: true }).fill(value)
const radio =
  (label: string, option: string): Fill =>
  (form) =>
    form.getByRole('radiogroup', { name: label, exact: true }).getByText(option, { exact: true }).click()
const choice =
  (label: string, option: string): Fill =>
  async (form) => {
    await form.getByRole('button', { name: new RegExp(`${label}$`) }).click()
    await form.page().getByRole('option', { name: option, exact: true }).click()
  }
const record =
  (label: string, name: string): Fill =>
  async (form) => {
    await form.getByRole('combobox', { name: label, exact: true }).fill(name)
    await form.page().getByRole('option', { name }).first().click()
  }
const flip =
  (label: string): Fill =>
  (form) =>
    form.getByText(label, { exact: true }).click()

const hook = {
  url: 'https://hooks.example.com/x?m=#NEZHA#',
  request_header: '{"X-Key":"abc"}',
  request_body: '{"text":"#NEZHA#"}',
}

/** What is changed in a form, and how it is sent. Not servers: their live frames were recorded after another edit than their list. */
const edits = (generation: 1 | 2): readonly Change[] => [
  [
    '/server-group',
    /prod.*web-1/,
    'server-groups',
    'edit: ok',
    { with: { servers: [1, 2] } },
    [text('Name', 'prod-2')],
  ],
  ['/cron', /hourly/, 'crons', 'edit: ok', { with: { push_successful: false } }, [text('Name', 'hourly-2')]],
  ['/service', /min/, 'services', 'edit: ok', { with: { duration: 30 } }, [text('Name', 'icmp')]],
  [
    '/notification',
    /^(?!.*alice).*hook/,
    'notifications',
    'edit: empty strings keep url, header, body',
    { with: { skip_check: false, ...(generation === 1 && hook) } },
    [text('Name', 'hook-2')],
  ],
  ['/notification-group', /no name/, 'notification-groups', 'edit: ok', {}, [text('Name', 'empty')]],
  [
    '/alert-rule',
    /cpu high/,
    'alert-rules',
    'edit: ok (answers with the id)',
    { with: { enable: true, rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }] } },
    [text('Name', 'cpu very high')],
  ],
  [
    '/ddns',
    /^(?!.*alice).*dns.*www/,
    'ddns',
    'edit: ok, empty secrets keep',
    {
      with: {
        domains: ['www.example.com', 'xn--mnchen-3ya.example'],
        ...(generation === 1 && { access_secret: 'secret', webhook_headers: '{"A":"b"}' }),
      },
    },
    [text('Name', 'dns-2')],
  ],
  [
    '/nat',
    /nat\.example\.test/,
    'nat',
    'edit: disable',
    { with: { enabled: true, name: 'nat-2' } },
    [text('Name', 'nat-2')],
  ],
]

/** What is typed into the form of a new record, and how it is sent; the row shows that the list is there. */
const creations = (generation: 1 | 2): readonly Change[] => [
  ['/server-group', /adj/, 'server-groups', 'create: ok', { with: { servers: [] } }, [text('Name', 'prod')]],
  [
    '/notification-group',
    /ops/,
    'notification-groups',
    'create: ok',
    { with: { notifications: [] } },
    [text('Name', 'ops')],
  ],
  ['/alert-rule', /cpu high/, 'alert-rules', 'create: ok', { with: { trigger_mode: 1 } }, [text('Name', 'cpu high')]],
  [
    '/cron',
    /hourly/,
    'crons',
    'create: ok',
    {},
    [text('Name', 'hourly'), text('Command', 'echo ok'), text('Schedule', '0 0 * * * *'), record('Servers', 'web-1')],
  ],
  [
    '/service',
    /min/,
    'services',
    'create: ok TCP',
    { with: { target: '127.0.0.1:18199', duration: 30 } },
    [
      text('Name', 'tcp'),
      radio('Probe', 'TCPing'),
      text('Target', ' 127.0.0.1:18199 '),
      ...(generation === 2 ? [text('Order', '3')] : []),
    ],
  ],
  [
    '/notification',
    /hook/,
    'notifications',
    'create: ok, skip_check',
    {},
    [
      text('Name', 'hook'),
      choice('Request method', 'POST'),
      text('URL', hook.url),
      text('Headers', hook.request_header),
      text('Body', hook.request_body),
      flip('Skip test message on save'),
    ],
  ],
  [
    '/nat',
    /nat\.example\.test/,
    'nat',
    'create: ok',
    {},
    [
      text('Name', 'nat'),
      text('Domain', 'nat.example.test'),
      record('Server', 'web-1'),
      text('Target', '127.0.0.1:18199'),
    ],
  ],
  ['/ddns', /dns.*www/, 'ddns', 'create: minimal', { with: { max_retries: 3 } }, [text('Name', 'min')]],
  [
    '/settings/user',
    /admin/,
    'users',
    'create: member alice',
    {},
    [text('Username', 'alice'), text('Password', 'alice-pass-1')],
  ],
]

/** One record of a list, and the call that deletes it. */
const deletions: readonly Change[] = [
  ['/server-group', /adj/, 'server-groups', 'delete: ok', { with: { body: [4] } }],
  ['/service', /min/, 'services', 'delete: ids 4, 5, 7', { with: { body: [3] } }],
  ['/cron', /hourly/, 'crons', 'delete: ok', { with: { body: [1] } }],
  ['/notification', /loop/, 'notifications', 'delete: ok', { with: { body: [3] } }],
  ['/notification-group', /ops/, 'notification-groups', 'delete: ok', { with: { body: [1] } }],
  ['/alert-rule', /cpu high/, 'alert-rules', 'delete: ok', { with: { body: [1] } }],
  ['/ddns', /^(?!.*alice).*dns.*www/, 'ddns', 'delete: ok', { with: { body: [2] } }],
  ['/nat', /nat\.example\.test/, 'nat', 'delete: ok', { with: { body: [1] } }],
  // Whose deletion takes servers with it is typed.
  [
    '/settings/user',
    /alice/,
    'users',
    'delete users 3, 5, 6',
    { with: { body: [2] } },
    [(question) => question.getByRole('textbox').fill('alice')],
  ],
]

/** Waits for a call that begins so, after the first `before` ones. */
const expectCall = (replay: Replay, before: number, begin: string) =>
  expect.poll(() => replay.calls().findIndex((call, at) => at >= before && call.startsWith(begin))).toBeGreaterThan(-1)

const rowOf = (page: Page, name: RegExp) => page.getByRole('row', { name }).first()

for (const generation of [1, 2] as const)
  test.describe(`records of a dashboard of ${generation}.x in the console`, () => {
    test.use({ generation })

    test('forms of every kind of record are opened, changed and saved', async ({ page, existing: { replay, url } }) => {
      await signIn(page, url)
      for (const [path, row, file, step, expected, filled = []] of edits(generation)) {
        await goTo(page, path)
        await expect(rowOf(page, row)).toBeVisible()
        replay.expects(file, step, expected)
        const before = replay.calls().length
        await rowOf(page, row).focus()
        await page.keyboard.press('e')
        const form = page.getByRole('dialog')
        for (const fill of filled) await fill(form)
        await page.keyboard.press('Control+Enter')
        await expect(form).toBeHidden()
        await expectCall(replay, before, 'PATCH ')
      }
    })

    test('records are made in forms', async ({ page, existing: { replay, url } }) => {
      await signIn(page, url)
      for (const [path, row, file, step, expected, filled = []] of creations(generation)) {
        await goTo(page, path)
        await expect(rowOf(page, row)).toBeVisible()
        replay.expects(file, step, expected)
        const before = replay.calls().length
        await page.keyboard.press('c')
        const form = page.getByRole('dialog')
        for (const fill of filled) await fill(form)
        await page.keyboard.press('Control+Enter')
        await expect(form).toBeHidden()
        await expectCall(replay, before, 'POST ')
      }
    })

    test('records of every kind are deleted, after a question', async ({ page, existing: { replay, url } }) => {
      await signIn(page, url)
      for (const [path, row, file, step, expected, filled = []] of deletions) {
        await goTo(page, path)
        await expect(rowOf(page, row)).toBeVisible()
        replay.expects(file, step, expected)
        await rowOf(page, row).focus()
        await page.keyboard.press('Delete')
        // Not the toast that undoes: it has the same role.
        const question = page.locator('[role="alertdialog"][data-asks]')
        for (const fill of filled) await fill(question)
        await question.getByRole('button', { name: /Delete/ }).click()
        await expect(question).toBeHidden()
      }
      // Each waits for 6 s, in which it can be undone.
      const deleted = () => replay.calls().filter((call) => call.startsWith('POST batch-delete/'))
      await expect.poll(deleted).toHaveLength(deletions.length)
    })

    test('an update of an agent is sent, an address is unblocked', async ({ page, existing: { replay, url } }) => {
      await signIn(page, url)
      replay.expects('force-update', 'online, offline, unknown, duplicate', { with: { body: [1] } })
      await rowOf(page, /web-1/).focus()
      await page.keyboard.press('u')
      await expect(page.getByRole('dialog', { name: /Force update/ })).toBeVisible()
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => replay.calls()).toContain('POST force-update/server')
      await expect(page.getByText(/success|finished/i)).toBeHidden()
      await goTo(page, '/settings/waf')
      replay.expects('waf', 'clear', { with: { body: ['198.51.100.5'] } })
      await rowOf(page, /198\.51\.100\.5/).focus()
      await page.keyboard.press('Delete')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /Unblock/ })
        .click()
      await expect.poll(() => replay.calls()).toContain('POST batch-delete/waf')
    })

    test.describe('a member', () => {
      test.use({ who: 'member' })
      test('sees what is theirs; lists of administrators explain themselves', async ({ page, existing: { url } }) => {
        await signIn(page, url, 'member')
        await expect(page.getByRole('row', { name: /web-1/ })).toBeHidden()
        await goTo(page, '/cron')
        await expect(rowOf(page, /alice task/)).toBeVisible()
        for (const path of ['/settings/user', '/settings/waf', '/settings/online-user']) {
          await goTo(page, path)
          await expect(page.getByRole('main')).toContainText(/administrators|permission denied|not allowed/i)
          await expect(page.getByRole('main')).not.toContainText('ApiError')
        }
        const kept = await page.evaluate(() => JSON.stringify(localStorage))
        expect(kept).not.toContain('$2a$10$')
      })
    })
  })
