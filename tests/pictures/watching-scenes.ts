import { expect } from '@playwright/test'
import { english } from '../support/english.ts'
import { focusRow, list, type Stage, settle, show } from './stage.ts'

const rules = '/dashboard/alert-rule'
const notifiers = '/dashboard/notification'

/** Pictures of monitoring: each its name and the way to it from a signed-in console. */
export const watchingScenes: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async services(stage) {
    await list(stage, '/dashboard/service')
    for (let step = 0; step < 3; step++) await stage.page.keyboard.press('j')
    await expect(stage.page.getByText(/^down /).first()).toBeVisible()
  },
  async 'service-detail'({ page, fleet }) {
    await settle(page)
    await show(page, `/dashboard/service?open=${fleet.slowService}`)
    await expect(page.getByRole('complementary').getByRole('slider').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
  },
  async 'server-history'({ page, fleet }) {
    await settle(page)
    await show(page, `/dashboard?open=${fleet.shell}`)
    const panel = page.getByRole('complementary')
    await panel.getByRole('radio', { name: '1 h', exact: true }).check({ force: true })
    await expect(panel.getByRole('slider').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    await panel.getByRole('radio', { name: '1 h', exact: true }).evaluate((radio) => {
      radio.closest('fieldset, [role=radiogroup], section')?.scrollIntoView({ block: 'start' })
    })
  },
  async 'alert-rules'(stage) {
    await list(stage, rules)
    await stage.page.keyboard.press('j')
  },
  async 'alert-rule'(stage) {
    await focusRow(stage, rules, 'cpu-hot')
    await stage.page.keyboard.press('e')
    const form = stage.page.getByRole('dialog')
    await form.getByRole('textbox', { name: english.t('ui.rule.form.max', { number: 2 }) }).fill('6.0')
    await expect(form.getByText(/^Would have fired on/)).toBeVisible()
  },
  async 'notifier-form'(stage) {
    await focusRow(stage, notifiers, 'chat-ops')
    await stage.page.keyboard.press('e')
    const form = stage.page.getByRole('dialog')
    await form.getByRole('group', { name: /Body/ }).getByRole('button', { name: 'Replace' }).click()
    await form
      .getByRole('textbox', { name: 'Body' })
      .fill('{\n  "text": "#SERVER.NAME# #NEZHA#",\n  "ip": "#SERVER.IP#",\n  "cpu": "#SERVER.CPU#"\n}')
    await expect(form.getByText(/^Valid JSON/)).toBeVisible()
    if (stage.isPhone) await form.getByText(/^Valid JSON/).scrollIntoViewIfNeeded()
  },
  async incidents(stage) {
    const { page, fleet, isPhone } = stage
    await list(stage, '/dashboard/incident')
    if (isPhone) return
    await show(page, `/dashboard/incident?open=${fleet.incident}`)
    await expect(page.getByRole('complementary').getByText('chat-ops').first()).toBeVisible()
  },
}
