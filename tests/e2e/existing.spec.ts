import { expect } from '@playwright/test'
import { beginNat, goTo, signIn, test } from './existing.ts'
import { filesOf, linesOf } from './terminal-page.ts'

const lists: readonly [path: string, shown: RegExp][] = [
  ['/service', /http:\/\/127\.0\.0\.1:18199/],
  ['/cron', /hourly/],
  ['/notification', /hook/],
  ['/notification-group', /ops/],
  ['/alert-rule', /cpu high/],
  ['/ddns', /www\.example\.com/],
  ['/nat', /nat\.example\.test/],
  ['/server-group', /adj/],
  ['/settings/user', /admin/],
  ['/settings/waf', /198\.51\.100\.3/],
  ['/settings/online-user', /127\.0\.0\.1/],
]
const laterLists: typeof lists = [
  ['/transfer', /failed|canceled/],
  ['/settings/api-tokens', /legacy/],
]

for (const generation of [1, 2] as const)
  test.describe(`an existing dashboard of ${generation}.x`, () => {
    test.use({ generation })
    test('D3: what it does not tell is on no page, in no form and in no card', async ({ page, existing: { url } }) => {
      await signIn(page, url)
      const columns = {
        service: [
          ...['Name', 'Target', 'Probe', '30 days', 'Up', 'Latency'],
          ...['Checked from', 'Notification group'],
        ],
        notification: ['Name', 'Request method', 'Body type', 'Groups'],
        nat: ['Name', 'Domain', 'Server', 'Target', 'Enabled'],
      }
      for (const [path, names] of Object.entries(columns)) {
        await goTo(page, `/${path}`)
        await expect(page.getByRole('columnheader').filter({ hasText: /\S/ })).toHaveText(names)
      }
      await goTo(page, '/service')
      await page.getByRole('row').nth(1).click({ button: 'right' })
      await expect(page.getByRole('menuitem', { name: 'Duplicate' })).toBeVisible()
      await expect(page.getByRole('menuitem', { name: 'Check now not supported by this server' })).toBeDisabled()
      await page.keyboard.press('Escape')
      await goTo(page, '/settings')
      await expect(page.getByLabel('Site name')).toBeVisible()
      for (const name of ['History', 'Sessions', 'Audit log'])
        await expect(page.getByRole('button', { name, exact: true })).toBeHidden()
      await expect(page.getByRole('textbox', { name: 'Time zone' })).toBeHidden()
      await expect(page.getByLabel('DNS servers')).toBeVisible()
      for (const name of ['Console hostname', 'Reserved hostnames', 'MCP server'])
        await expect(page.getByLabel(name, { exact: true })).toBeVisible({ visible: generation === 2 })
      await goTo(page, '/server-group')
      await expect(page.getByRole('rowheader', { name: '(no name)' })).toBeVisible()
      await page.setViewportSize({ width: 400, height: 800 })
      await goTo(page, '/service')
      await expect(page.getByRole('row').filter({ hasText: 'min' }).getByRole('img', { name: 'down' })).toBeVisible()
      const card = page.getByRole('row').filter({ hasText: 'tcp' }).first()
      await expect(card).toBeVisible()
      expect((await card.boundingBox())?.width).toBe(400)
    })

    test('lists, a record made, changed and deleted, a task run, a shell, files; what it lacks is absent', async ({
      page,
      existing: { replay, url },
    }) => {
      await signIn(page, url)
      for (const [path, shown] of generation === 1 ? lists : [...lists, ...laterLists]) {
        await goTo(page, path)
        await expect(page.getByRole('row', { name: shown }).first()).toBeVisible()
      }
      await expect(page.getByRole('link', { name: 'Server', exact: true })).toBeVisible()
      for (const name of ['Incident', 'Run', 'Maintenance window', 'Hosts'])
        await expect(page.getByRole('link', { name, exact: true })).toBeHidden()
      await goTo(page, '/unit')
      await expect(page.getByRole('main').getByRole('alert')).toContainText('This server has no such endpoint')
      await goTo(page, '/logs')
      await expect(page.getByText('Logs aren’t supported by this server')).toBeVisible()
      expect(replay.calls().filter((call) => /host\/(logs|metrics)/.test(call))).toEqual([])

      const form = await beginNat(page)
      replay.expects('nat', 'create: ok')
      await page.keyboard.press('Control+Enter')
      await expect(form).toBeHidden()
      replay.expects('nat', 'edit: disable')
      await page.getByRole('row', { name: /nat\.example\.test/ }).focus()
      await page.keyboard.press('e')
      const edit = page.getByRole('dialog')
      await edit.getByText('Enabled', { exact: true }).click()
      await page.keyboard.press('Control+Enter')
      await expect(edit).toBeHidden()

      replay.expects('nat', 'delete: ok')
      for (const name of [/nat\.example\.test/, /empty/]) {
        await page.getByRole('row', { name }).focus()
        await page.keyboard.press('x')
      }
      await page.keyboard.press('Delete')
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: /Delete/ })
        .click()
      await expect.poll(() => replay.calls()).toContain('POST batch-delete/nat')

      await goTo(page, '/cron')
      await page.getByRole('row', { name: /hourly/ }).focus()
      replay.expects('crons', 'run: ok')
      await page.keyboard.press('r')
      await page.getByRole('alertdialog').getByRole('button', { name: /Run/ }).click()
      const method = generation === 1 ? 'GET' : 'POST'
      await expect.poll(() => replay.calls()).toContain(`${method} cron/1/manual`)

      replay.expects('terminal-file', 'terminal: ok')
      await goTo(page, '/terminal/1')
      await expect(linesOf(page)).toContainText('$')
      await page.keyboard.type('echo hi')
      await page.keyboard.press('Enter')
      await expect(linesOf(page)).toContainText(/echo hi\s*hi/)

      replay.expects('terminal-file', 'file: ok')
      await goTo(page, `/terminal/1?path=${encodeURIComponent('/tmp/fx/home')}`)
      await page.getByRole('button', { name: 'Files', exact: true }).click()
      const panel = filesOf(page)
      await expect(panel.getByRole('row', { name: /hello\.txt/ })).toBeVisible()
    })
  })
