import type { Page } from '@playwright/test'
import { keyTable, sayText } from '@qd/core/actions'
import { createTranslator, loadLanguage } from '@qd/core/i18n'
import { resources } from '@qd/core/resources'
import { callApi } from './api.ts'
import { expect, test } from './console.ts'

/** Buttons that change only how this page looks, or that lead on; each with the reason why it is no action of the registry. */
const viewControls: readonly (readonly [RegExp, string])[] = [
  [/^Palette/, 'opens the palette itself'],
  [/^(Menu|All actions|More actions|More)$/, 'opens a menu of actions'],
  [/^(Theme|Account):?/, 'a menu whose entries are commands'],
  [/^(English|Language)/, 'a menu whose entries are commands'],
  [/^(Close|Dismiss|Cancel|Discard)/, 'Escape'],
  [/^Row (above|below)$/, 'the cursor of the list'],
  [/^\d[\d,]* /, 'a count of the facets: the filter by that state'],
  [/^Copy: /, 'copies a text of the panel, as the copy menu of the record does'],
  [/^Command palette shortcut$/, 'a setting of this browser'],
  [/^(Clear filter|Deselect all)$/, 'Escape'],
]

const admin = { id: 1, username: 'admin', role: 0, scopes: null }

interface Seen {
  readonly action: string | null
  readonly name: string
}

/** The buttons in sight that do something by themselves: no fields, rows, tabs or options. */
const buttonsOf = (page: Page): Promise<Seen[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button')]
      .filter((one) => one.checkVisibility() && !one.closest('[role=row],form,nav,[role=group]'))
      .map((one) => ({
        action: one.dataset['action'] ?? null,
        name: (one.getAttribute('aria-label') ?? one.innerText.split('\n')[0] ?? '').trim(),
      })),
  )

test('P-07: every button of every page is an action or a command of the registry, or a control of the view', async ({
  signedIn: page,
}) => {
  test.setTimeout(120_000)
  const say = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
  const [server] = (await callApi(page, 'GET', 'server')) as { id: number }[]
  const group = { name: 'p07', servers: [] }
  const makes: readonly (readonly [string, object])[] = [
    ['server-group', group],
    ['notification-group', { name: 'p07', notifications: [] }],
    ['cron', { name: 'p07', task_type: 1, command: 'true', cover: 1, servers: [] }],
    ['ddns', { name: 'p07', provider: 'dummy', domains: ['a.example.net'], max_retries: 3, enable_ipv4: true }],
    ['nat', { name: 'p07', enabled: true, server_id: server!.id, host: '127.0.0.1:9', domain: 'p07.example.net' }],
    ['user', { username: 'p07', password: 'a good long password', role: 1 }],
    ['waf/block', { address: '203.0.113.77', duration: 0, note: '' }],
    ['alert-rule', { name: 'p07', rules: [{ type: 'cpu', max: 90, duration: 10, cover: 0 }], trigger_mode: 0 }],
    [
      'notification',
      { name: 'p07', url: 'http://127.0.0.1:9/x', request_method: 1, request_type: 1, skip_check: true },
    ],
  ]
  for (const [path, body] of makes) await callApi(page, 'POST', path, body)
  const known = new Set(
    resources.flatMap(({ name, actions }) => Object.keys(actions).map((action) => `${name}.${action}`)),
  )
  const commands = new Set(
    resources.flatMap((resource) =>
      keyTable(resource, 'web', { viewer: admin }).map(({ label }) => sayText(say, label)),
    ),
  )
  const strangers: string[] = []
  let count = 0
  const look = async (where: string) => {
    for (const { action, name } of await buttonsOf(page)) {
      count += 1
      const isKnown = action === null ? commands.has(name) : known.has(action)
      if (!isKnown && !viewControls.some(([pattern]) => pattern.test(name))) strangers.push(`${where}: ${name}`)
    }
  }
  for (const { name, path, wire } of resources) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    await look(name)
    if (wire.shape !== 'many' || (await page.getByRole('row').count()) < 2) continue
    await page.getByRole('row').nth(1).focus()
    await page.keyboard.press('x')
    if (await page.getByRole('toolbar', { name: 'Selection' }).isVisible()) await look(`${name}, selected`)
    await page.keyboard.press('x')
    await page.keyboard.press('i')
    const panel = page.getByRole('complementary')
    if (await panel.isVisible()) await look(`${name}, its panel`)
  }
  expect(count).toBeGreaterThan(150)
  expect([...new Set(strangers)]).toEqual([])
})
