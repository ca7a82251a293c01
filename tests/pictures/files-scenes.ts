import { expect, type Page } from '@playwright/test'
import { english } from '../support/english.ts'
import { focusRow, list, type Stage, settle } from './stage.ts'

const servers = '/dashboard'
/** Each picture sends another name, so that none is taken. */
let release = 3
const panelOf = (page: Page) =>
  page.getByRole('complementary', { name: new RegExp(`^${english.t('ui.files.titleOf', { name: '' })}`) })

/** The folder of the pictures in the file manager over the list of servers. */
async function openFolder(stage: Stage): Promise<void> {
  const { page, fleet } = stage
  const { name, folder } = await fleet.files()
  await focusRow(stage, servers, name)
  await page.keyboard.press('f')
  const panel = panelOf(page)
  await expect(panel.getByRole('grid')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.getByRole('textbox', { name: 'Path' }).fill(folder)
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('row', { name: /app\.log/ })).toBeVisible()
  await expect(panel.getByRole('grid')).toBeFocused()
}

async function leave({ page }: Stage): Promise<void> {
  await settle(page)
  await expect(panelOf(page)).toHaveCount(0)
}

/** Pictures of the file manager, and of what else reaches into a machine: each its name and the way to it from a signed-in console. */
export const filesScenes: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async ddns(stage) {
    await list(stage, '/dashboard/ddns')
    await stage.page.keyboard.press('j')
  },
  async nat(stage) {
    await list(stage, '/dashboard/nat')
    await stage.page.keyboard.press('j')
  },
  async audit(stage) {
    await list(stage, '/dashboard/settings/audit')
  },
  async 'group-form'(stage) {
    await focusRow(stage, '/dashboard/server-group', 'edge')
    await stage.page.keyboard.press('e')
    await expect(stage.page.getByRole('dialog').getByText('edge-fra-1').first()).toBeVisible()
  },
  async files(stage) {
    const { page } = stage
    await openFolder(stage)
    await panelOf(page)
      .locator('input[type=file]')
      .setInputFiles([
        { name: `app-2.3.${++release}.tar.gz`, mimeType: 'application/gzip', buffer: Buffer.alloc(3.4e6, 7) },
      ])
    await expect(panelOf(page).getByText('SHA-256')).toBeVisible()
    await page.keyboard.press('Home')
    for (const key of ['ArrowDown', 'ArrowDown', 'x', 'ArrowDown', 'x', 'ArrowDown']) await page.keyboard.press(key)
  },
  async 'files-look'(stage) {
    const { page } = stage
    await leave(stage)
    await openFolder(stage)
    await page.keyboard.press('/')
    await page.keyboard.type('app.log')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Space')
    await expect(panelOf(page).getByText('upstream timed out').first()).toBeVisible()
  },
  async 'files-question'(stage) {
    const { page } = stage
    await leave(stage)
    await openFolder(stage)
    await panelOf(page)
      .locator('input[type=file]')
      .setInputFiles(
        ['app.yaml', 'app.log'].map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })),
      )
    await expect(page.getByRole('alertdialog')).toBeVisible()
  },
}
