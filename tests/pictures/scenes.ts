import { expect, type Page } from '@playwright/test'
import { filesScenes } from './files-scenes.ts'
import { focusRow, list, type Stage, settle, show } from './stage.ts'
import { watchingScenes } from './watching-scenes.ts'

const servers = '/dashboard'
const tasks = '/dashboard/cron'
const filter = 'group:web,db,edge,cache,mail,queue !os:windows'

/** Every picture: its name and the way to it from a signed-in console. */
export const scenes: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async servers(stage) {
    await list(stage, servers, filter)
    await stage.page.keyboard.press('j')
    for (let step = 0; step < 5; step++) {
      if (step % 2 === 0) await stage.page.keyboard.press('x')
      await stage.page.keyboard.press('j')
    }
  },
  async 'server-detail'({ page, fleet }) {
    await settle(page)
    await show(page, `/dashboard?open=${fleet.server}`)
    await expect(page.getByRole('complementary').locator('svg path').first()).toBeVisible()
  },
  async tasks(stage) {
    await list(stage, tasks)
  },
  async 'task-form'(stage) {
    await focusRow(stage, tasks, 'nightly-backup')
    await stage.page.keyboard.press('e')
    const form = stage.page.getByRole('dialog')
    const schedule = form.getByRole('textbox', { name: 'Schedule' })
    await schedule.fill('0 30 3 * * *')
    await expect(form.getByText('Next five runs')).toBeVisible()
    await schedule.scrollIntoViewIfNeeded()
  },
  ...watchingScenes,
  async palette(stage) {
    await focusRow(stage, servers, 'web-3')
    await stage.page.keyboard.press('Control+k')
    await stage.page.getByRole('dialog').getByRole('combobox').fill('cop')
    await expect(stage.page.getByRole('option').first()).toBeVisible()
  },
  async 'palette-arguments'(stage) {
    await focusRow(stage, servers, 'web-3')
    await stage.page.keyboard.press('Control+k')
    const palette = stage.page.getByRole('dialog')
    await palette.getByRole('combobox').fill('run command')
    await stage.page.keyboard.press('Enter')
    await palette.getByRole('textbox').fill('systemctl restart nginx')
    await expect(palette.getByText('Targets')).toBeVisible()
  },
  async confirm(stage) {
    await list(stage, servers, 'group:edge')
    await stage.page.keyboard.press('*')
    await stage.page.keyboard.press('Delete')
    await expect(stage.page.getByRole('alertdialog')).toBeVisible()
  },
  async keys({ page }) {
    await settle(page)
    await show(page, servers)
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toBeVisible()
  },
  async 'run-results'({ page, fleet }) {
    await settle(page)
    await show(page, `/dashboard/run/${fleet.run}`)
    await expect(page.getByText('failure').first()).toBeVisible()
  },
  async settings({ page }) {
    await settle(page)
    await show(page, '/dashboard/settings')
    await page.getByRole('textbox', { name: 'Site name' }).fill('Harbor fleet')
  },
  async profile({ page }) {
    await settle(page)
    await show(page, '/dashboard/profile')
    // The heading stands before the page is there.
    await expect(page.getByRole('button', { name: 'Turn on 2FA' })).toBeVisible()
  },
  async waf({ page }) {
    await settle(page)
    await show(page, '/dashboard/settings/waf')
    await expect(page.getByText('203.0.113.9').first()).toBeVisible()
  },
  async groups(stage) {
    await focusRow(stage, servers, 'web-3')
    await stage.page.keyboard.press('Control+k')
    await stage.page.getByRole('dialog').getByRole('combobox').fill('change groups')
    await stage.page.keyboard.press('Enter')
  },
  async menu({ page, isPhone }) {
    await settle(page)
    await show(page, servers)
    await page.getByRole('button', { name: isPhone ? 'Menu' : /^Account/ }).click()
    await expect(page.getByText(/Logout/).first()).toBeVisible()
  },
  async toasts(stage) {
    const { page } = stage
    await settle(page)
    await focusRow(stage, servers, 'web-3')
    await page.keyboard.press('e')
    const note = page.getByRole('dialog').getByRole('textbox', { name: 'Private note' })
    await note.fill(`Moves to rack 7, seen ${Date.now() % 1000}`)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByText('Undo').first()).toBeVisible()
    await page.keyboard.press('g')
  },
  async terminal({ page, fleet }) {
    await settle(page)
    page.on('dialog', (dialog) => void dialog.accept())
    const given = fleet.giveShell()
    await page.goto(new URL(`/dashboard/terminal/${fleet.shell}`, page.url()).href)
    await given
    await expect(page.locator('.xterm-rows')).toContainText('motd.png')
    await page.waitForLoadState('networkidle')
  },
  async 'terminal-search'({ page }) {
    await page.keyboard.press('Control+Shift+f')
    await page.keyboard.type('nginx')
    await expect(page.getByRole('search').getByRole('status')).toHaveText(/of/)
  },
  async 'terminal-gone'({ page }) {
    await page.goto(new URL('/dashboard/terminal/999999', page.url()).href)
    await expect(page.getByText('The server does not exist')).toBeVisible()
  },
  ...filesScenes,
}

/** Lists with the hosts that are read. */
const lists = {
  units: 'unit?on=group:web',
  containers: 'container?on=group:web,api',
  processes: 'process?on=group:db,queue,web',
} as const

/** What runs on the hosts of a demo: each picture and the way to it from a signed-in console. */
export const hostScenes: Readonly<Record<string, (page: Page, origin: string) => Promise<void>>> = {
  ...Object.fromEntries(
    Object.entries(lists).map(([name, path]) => [
      name,
      async (page: Page, origin: string) => {
        await page.goto(`${origin}/dashboard/${path}`)
        await expect(page.getByRole('row').nth(8)).toBeVisible()
      },
    ]),
  ),
  async logs(page, origin) {
    await page.goto(`${origin}/dashboard/logs?on=group:web`)
    await expect.poll(async () => (await page.getByRole('log').innerText()).split('\n').length).toBeGreaterThan(25)
  },
}
