import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base, expect, type Page } from '@playwright/test'
import { lineOf } from '../bench/product.ts'
import { createReplay, type Replay } from '../support/replay/replay.ts'
import { showPage } from './console.ts'

const root = process.env.QD_BUILT ?? fileURLToPath(new URL('../..', import.meta.url))

/** A gateway at `url` before the replayed dashboard. */
export interface Existing {
  generation: 1 | 2
  replay: Replay
  url: string
}

/** The console, through the gateway, in front of a replayed dashboard; a call that was not to come fails the test. */
export const test = base.extend<{ existing: Existing; generation: 1 | 2; who: 'admin' | 'member' }>({
  generation: [2, { option: true }],
  who: ['admin', { option: true }],
  existing: async ({ generation, who }, use) => {
    const { replay, problems } = await createReplay({ generation, as: who })
    const words = [join(root, 'apps/server/dist/main.js'), '--port', '0', '--upstream', replay.url]
    const gateway = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] })
    const url = await lineOf(gateway, /^Quarterdeck is ready: (\S+)\/dashboard$/m)
    await use({ generation, replay, url })
    gateway.kill()
    await replay.close()
    expect(problems()).toEqual([])
  },
})

/** Goes to a page of the console without loading it again. */
export const goTo = (page: Page, path: string) => showPage(page, `/dashboard${path}`)

/** Signs in on the console's page. */
export async function signIn(page: Page, url: string, who: 'admin' | 'member' = 'admin') {
  const [name, password] = who === 'admin' ? ['admin', 'admin'] : ['alice', 'alice-pass-1']
  await page.goto(`${url}/dashboard/login`)
  await page.getByRole('textbox', { name: 'Username' }).fill(name)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: who === 'admin' ? /web-1/ : /alice-1/ })).toBeVisible()
}

/** A new NAT profile, filled in but not saved; its form. */
export async function beginNat(page: Page) {
  await goTo(page, '/nat')
  await expect(page.getByRole('row', { name: /nat\.example\.test/ })).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: /New NAT profile/ })
  await form.getByRole('textbox', { name: 'Name' }).fill('nat')
  await form.getByRole('textbox', { name: 'Domain' }).fill('nat.example.test')
  await form.getByRole('textbox', { name: 'Target' }).fill('127.0.0.1:18199')
  await form.getByRole('combobox', { name: 'Server' }).fill('web-1')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  return form
}
