import type { Page } from '@playwright/test'
import { callApi } from './api.ts'
import { admin, expect, test } from './console.ts'
import { says } from './says.ts'

/** Fills the sign-in card that is on screen. */
async function enter(page: Page, username: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true, level: 1 })

test('product spec 2 and 4: routes, for a guest, an admin and a member', async ({ signedIn, product, browser }) => {
  await callApi(signedIn, 'POST', 'sign-in-provider', {
    ...{ name: 'House', kind: 'github', base_url: 'https://github.com', site_url: product.url, enabled: true },
    ...{ client_id: 'qd', client_secret: 'kept' },
  })
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  const inside = [
    'service cron notification alert-rule ddns nat server-group notification-group terminal/1 profile settings',
    'settings/user settings/waf settings/online-user',
  ].flatMap((paths) => paths.split(' '))
  await says(2, 'Every page except login redirects to /dashboard/login when no profile is loaded.', async () => {
    for (const path of ['', ...inside]) {
      await page.goto(`/dashboard/${path}`)
      await expect(page).toHaveURL(/\/dashboard\/login/)
    }
  })
  await says(4, 'Unauthenticated visitors go to the login page.', async () => {
    await page.goto('/dashboard')
    await expect(page).toHaveURL(/\/dashboard\/login/)
  })
  await says(2, 'Username and password form and provider buttons.', async () => {
    await expect(page.getByText('OAuth2', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign in with House' })).toBeVisible()
  })
  await says(8, 'OAuth2 start and unbind errors: error toast with the message.', async () => {
    const refused = { status: 200, json: { success: false, error: 'the provider is away' } }
    await page.route('**/api/v1/oauth2/House?*', (route) => route.fulfill(refused))
    await page.getByRole('button', { name: 'Sign in with House' }).click()
    await expect(page.getByText('the provider is away')).toBeVisible()
  })
  await says(8, 'Login failure: the error message is shown.', async () => {
    await enter(page, admin.username, 'not the password')
    await expect(page.getByText('Wrong username or password')).toBeVisible()
  })
  await says(4, 'After login the profile is fetched and the user goes to /dashboard.', async () => {
    const profile = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/profile') && answer.ok())
    await enter(page, admin.username, admin.password)
    await profile
    await expect(page).toHaveURL(/\/dashboard\/?$/)
  })
  await says(2, 'Servers table (home and post-login target).', () => expect(heading(page, 'Servers')).toBeVisible())
  const opens =
    (path: string, name: string, tabs: readonly string[] = []) =>
    async () => {
      await page.goto(`/dashboard/${path}`)
      await expect(heading(page, name)).toBeVisible()
      for (const tab of tabs) await expect(page.getByRole('link', { name: tab, exact: true }).last()).toBeVisible()
    }
  await says(2, 'Service monitors.', opens('service', 'Services'))
  await says(2, 'Scheduled tasks.', opens('cron', 'Tasks'))
  await says(2, 'Notifiers.', opens('notification', 'Notifiers', ['Notifier', 'Alert rule']))
  await says(2, 'Shares a two-tab switcher with the notifier page.', opens('alert-rule', 'Alert rules', ['Notifier']))
  await says(2, 'DDNS profiles.', opens('ddns', 'DDNS profiles'))
  await says(2, 'NAT profiles.', opens('nat', 'NAT profiles'))
  await says(
    2,
    'Shares a two-tab switch (Server / Notification)',
    opens('server-group', 'Server groups', ['Notification']),
  )
  await says(2, 'Notification groups.', opens('notification-group', 'Notification groups', ['Server']))
  await says(2, 'Profile page.', opens('profile', 'Profile'))
  await says(2, 'Global settings (admin only).', opens('settings', 'Settings'))
  await says(2, 'User management (admin only).', opens('settings/user', 'Users'))
  await says(2, 'Online users, paginated.', opens('settings/online-user', 'Online users'))
  await says(2, 'Settings pages share a tab bar: Settings and User (admin only), Online User and WAF', async () => {
    const tabs = ['Settings', 'User', 'Online User', 'WAF']
    for (const tab of tabs) await expect(page.getByRole('link', { name: tab, exact: true })).toBeVisible()
    await callApi(page, 'POST', 'user', { username: 'member', password: 'a good long password', role: 1 })
    const own = await browser.newContext({ baseURL: product.url })
    const member = await own.newPage()
    await member.goto('/dashboard/login')
    await enter(member, 'member', 'a good long password')
    await expect(heading(member, 'Servers')).toBeVisible()
    await member.goto('/dashboard/settings/waf')
    for (const tab of ['Online User', 'WAF'])
      await expect(member.getByRole('link', { name: tab, exact: true })).toBeVisible()
    await expect(member.getByRole('link', { name: 'User', exact: true })).toHaveCount(0)
    await says(6, 'a non-admin is sent to the online-user page', async () => {
      await member.goto('/dashboard/settings')
      await expect(member).toHaveURL(/\/dashboard\/settings\/online-user/)
    })
    await says(6, 'Other pages are open to any logged-in user', async () => {
      for (const path of inside.filter((one) => !/^(settings|settings\/user|terminal\/1)$/.test(one))) {
        await member.goto(`/dashboard/${path}`)
        await expect(member.getByRole('heading', { level: 1 }).first()).toBeVisible()
        await expect(member).toHaveURL(new RegExp(`/dashboard/${path}`))
      }
    })
    await own.close()
  })
  await says(2, 'Reached after logout.', async () => {
    await page.getByRole('button', { name: /^Account: admin/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/dashboard\/login/)
  })
  await context.close()
})

test('product spec 2 and 4: the frame, the profile, theme and language', async ({ signedIn: page }) => {
  const stored = (key: string) => page.evaluate((name) => localStorage.getItem(name), key)
  await says(2, 'a greeting with the login IP, a live clock refreshed every second', async () => {
    const clock = page.getByTitle('Browser time')
    const before = await clock.innerText()
    await expect.poll(() => clock.innerText()).not.toBe(before)
    const account = page.getByRole('button', { name: /^Account: admin.*127\.0\.0\.1/ })
    await expect(account).toBeVisible()
    // On a narrow screen the account’s menu has all three.
    await page.setViewportSize({ width: 400, height: 800 })
    await expect(clock).toBeHidden()
    await account.click()
    for (const said of [
      page.getByText('Hello, admin'),
      page.getByText('from 127.0.0.1', { exact: true }),
      page.getByTitle('Browser time'),
    ])
      await expect(said.filter({ visible: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 800 })
  })
  await says(2, 'Footer: copyright range and version.', () =>
    expect(page.getByRole('contentinfo').getByText(/Quarterdeck \d+\.\d+\.\d+ · © \d{4}–\d{4}/)).toBeVisible(),
  )
  await says(2, 'Page title: the site name, or a default name.', () => expect(page).toHaveTitle(/Quarterdeck$/))
  await says(9, 'Mobile breakpoint 890px.', async () => {
    const menu = page.getByRole('button', { name: 'Menu', exact: true })
    const tabs = page.getByRole('navigation', { name: 'Main' })
    await page.setViewportSize({ width: 890, height: 800 })
    await expect(tabs).toBeVisible()
    await expect(menu).toBeHidden()
    await page.setViewportSize({ width: 889, height: 800 })
    await expect(tabs).toBeHidden()
    await says(2, 'Under 890px the tabs become a side menu.', async () => {
      await menu.click()
      await page.getByRole('dialog').getByRole('link', { name: 'Task', exact: true }).click()
      await expect(heading(page, 'Tasks')).toBeVisible()
    })
    await page.setViewportSize({ width: 1280, height: 800 })
  })
  await says(4, 'Theme stored locally (light, dark, system), default system.', async () => {
    const menu = page.getByRole('button', { name: /^Theme/ })
    await expect(menu).toHaveAccessibleName(/system/i)
    await says(1, 'Theme: light, dark or system.', async () => {
      for (const theme of ['light', 'dark', 'system']) {
        await menu.click()
        await page.getByRole('menuitem', { name: new RegExp(`^${theme}`, 'i') }).click()
        await expect.poll(() => stored('vite-ui-theme')).toBe(theme)
      }
    })
  })
  await says(2, 'Avatar, login IP, counts of servers, server groups and OAuth2 bindings', async () => {
    await page.goto('/dashboard/profile')
    const main = page.getByRole('main')
    for (const text of ['127.0.0.1', 'Servers', 'Server groups'])
      await expect(main.getByText(text).first()).toBeVisible()
    await expect(main.getByRole('button', { name: /^Bind/ })).toBeVisible()
    await expect(main.getByRole('button', { name: /^Unbind/ })).toBeVisible()
    await main.getByRole('button', { name: /^Edit/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
  })
  await says(8, 'Saving settings failure: Error with ErrorFetchingResource', async () => {
    await page.goto('/dashboard/settings')
    await page.route('**/api/v1/setting*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 200, json: { success: false, error: 'not today' } })
        : route.continue(),
    )
    await page.getByRole('textbox', { name: 'Site name' }).fill('Harbour')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('not today').first()).toBeVisible()
    // decisions.md, "Success toast after a failed settings save": the error alone.
    await expect(page.getByText(/^Saved/)).toHaveCount(0)
    await page.unroute('**/api/v1/setting*')
  })
  await says(1, 'after saving settings the language is switched if it changed', async () => {
    await page.reload()
    await page.getByRole('button', { name: /Language$/ }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: 'Einstellungen' }).first()).toBeVisible()
    await page.evaluate(() => localStorage.setItem('language', 'en-US'))
    await page.reload()
    await says(1, 'The language from settings applies only when none is stored locally', () =>
      expect(heading(page, 'Settings')).toBeVisible(),
    )
    const { config } = (await callApi(page, 'GET', 'setting')) as { config: object }
    await callApi(page, 'PATCH', 'setting', { ...config, language: 'en-US' })
  })
})
