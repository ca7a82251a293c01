import type { Page } from '@playwright/test'
import { english } from '../support/english.ts'
import { callApi } from './api.ts'
import { expect, test } from './console.ts'

const keySheet = { name: english.t('ui.commands.keys') }

test('P-34: the sheet shows the keys of the page, narrows, and explains Escape', async ({ signedIn: page }) => {
  await page.goto('/dashboard/cron')
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', keySheet)
  for (const text of ['This list', 'Go to', 'Everywhere', 'Run now', 'Command line', 'clear the filter'])
    await expect(sheet.getByText(text, { exact: true })).toBeVisible()
  await expect(sheet.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('select all')
  await expect(sheet.getByRole('term')).toHaveText(['Select all filtered'])
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('issue 36.29 keys that are typed while a page is on its way are for that page', async ({ signedIn: page }) => {
  await page.goto('/dashboard/alert-rule')
  await expect(page.getByRole('heading', { name: 'Alert rules', exact: true })).toBeVisible()
  // All in one turn of the page: no page can be drawn between two of them.
  await page.evaluate(() => {
    for (const key of 'gtc')
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  })
  await expect(page.getByRole('dialog', { name: 'New task' })).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard\/cron/)
})

test('P-35: single keys rest while a person types, and can be switched off', async ({ signedIn: page }) => {
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('?c')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByText('Single-key shortcuts', { exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Palette' })).toBeVisible()
  await expect(page.getByRole('dialog', keySheet)).toBeHidden()
  await page.evaluate(() => localStorage.removeItem('keys'))
})

test('P-02: the palette’s key is changed in the settings, hints follow, and the second key still works', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/settings')
  const key = page.getByRole('button', { name: /^Command palette shortcut/ })
  await key.click()
  await page.keyboard.press('j')
  await expect(page.getByText('Include Ctrl, Alt, or Meta')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Already used for: Save')).toBeVisible()
  await page.keyboard.press('Control+j')
  await expect(key).toHaveAccessibleName('Command palette shortcut Ctrl+J')
  await expect(page.getByRole('banner').getByText('Ctrl+J')).toBeVisible()
  const palette = page.getByRole('dialog', { name: 'Palette' })
  for (const chord of ['Control+j', 'Control+Shift+k']) {
    await page.keyboard.press(chord)
    await expect(palette).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(palette).toBeHidden()
  }
  await page.reload()
  await expect(page.getByRole('banner').getByText('Ctrl+J')).toBeVisible()
  await page.getByRole('button', { name: 'Reset to default' }).click()
  await expect(page.getByRole('banner').getByText('Ctrl+K')).toBeVisible()
})

/** How the focus shows: the ring of what has it, or of what holds it, and its contrast with the ground there. */
function ringOfFocus(page: Page) {
  return page.evaluate(() => {
    const rgb = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number)
    const light = (text: string) => {
      const [r = 0, g = 0, b = 0] = rgb(text).map((part) => {
        const share = part / 255
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const focused = document.activeElement!
    const name = `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent}`.slice(0, 60)
    let ring: string | null = null
    let ground: string | null = null
    let depth = 0
    for (let at: Element | null = focused; at; at = at.parentElement, depth++) {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, backgroundColor } = getComputedStyle(at)
      const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      if (ring === null && depth < 3 && isOutlined) ring = outlineColor
      if (ring === null && depth < 1 && boxShadow.includes('3px 0px 0px 0px inset')) ring = boxShadow
      if (ground === null && !/, 0\)$|transparent/.test(backgroundColor)) ground = backgroundColor
    }
    if (ring === null) return { name, contrast: 0 }
    const [high, low] = [light(ring), light(ground ?? 'rgb(255, 255, 255)')].sort((a, b) => b - a) as [number, number]
    return { name, contrast: (high + 0.05) / (low + 0.05) }
  })
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`P-38: Tab goes all around and is never caught; the focus shows at 3:1, ${colorScheme}`, async ({
    signedIn: page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    const seen: { name: string; contrast: number }[] = []
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      const stop = await ringOfFocus(page)
      if (stop.name.startsWith('BODY')) continue
      if (step > 5 && stop.name === seen[0]?.name) break
      seen.push(stop)
    }
    expect(seen.length).toBeLessThan(60)
    expect(seen.filter(({ contrast }) => contrast < 3)).toEqual([])
    const names = seen.map(({ name }) => name).join('\n')
    for (const part of ['Skip to content', 'Palette', 'Filter', 'Sort by', 'DIV']) expect(names).toContain(part)
  })
}

test('issue 12.2: Escape goes outwards and ends on the list; Back goes back', async ({ signedIn: page }) => {
  await page.goto('/dashboard/server-group')
  await expect(page.getByRole('heading', { name: 'Server groups' })).toBeVisible()
  const id = (await callApi(page, 'POST', 'cron', {
    name: 'a task to run',
    task_type: 1,
    command: 'true',
    cover: 1,
    servers: [],
  })) as number
  await callApi(page, 'POST', `cron/${id}/manual`)
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await expect(page).toHaveURL(/\/dashboard\/run$/)
  // The address is the new one before the rows are.
  await page.getByRole('row').filter({ hasText: 'a task to run' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/run\/\d+$/)
  await expect(page.getByRole('link', { name: 'Runs' })).toBeVisible()
  // Issue 12.13: the strip names no key that does nothing here.
  await expect(page.getByRole('contentinfo')).toContainText('Next')
  await expect(page.getByRole('contentinfo')).not.toContainText(/Select|Filter/)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/dashboard\/run$/)
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  // On a bare list, one press too many doesn’t leave the page.
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/dashboard\/run$/)
  await page.goForward()
  await expect(page).toHaveURL(/\/dashboard\/run\/\d+$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard\/run$/)
})

test('issue 12.2: a panel that Escape closed stays closed', async ({ signedIn: page }) => {
  const panel = page.getByRole('complementary')
  await page.goto('/dashboard/service')
  await expect(page.getByRole('heading', { name: 'Services' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/dashboard\/?$/)
  await expect(panel).toBeHidden()
})

test('issue 12.2: Back with a form open asks about the form, and the page behind it stays', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/service')
  await expect(page.getByRole('heading', { name: 'Services' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.keyboard.press('c')
  const form = page.getByRole('dialog', { name: 'New task' })
  // Issue 36.37: of a form in which nothing is typed, Back takes the form alone.
  await expect(form).toBeVisible()
  await page.evaluate(() => history.back())
  await expect(form).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard\/cron$/)
  await page.keyboard.press('c')
  await form.getByRole('textbox', { name: 'Name' }).fill('nightly')
  const ask = page.getByRole('alertdialog', { name: /Discard/ })
  for (const answer of ['Keep editing', 'Discard']) {
    await page.evaluate(() => history.back())
    await expect(ask).toBeVisible()
    await expect(page).toHaveURL(/\/dashboard\/cron$/)
    await ask.getByRole('button', { name: new RegExp(`^${answer}`) }).click()
    await expect(ask).toBeHidden()
  }
  await expect(form).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Palette' })).toBeVisible()
  await page.evaluate(() => history.back())
  await expect(page.getByRole('dialog', { name: 'Palette' })).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard\/cron$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard\/service$/)
})

test('issue 12.3: what is typed while a form or the palette opens is kept for it, and marks nothing', async ({
  signedIn: page,
}) => {
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = () => 0
  })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/assets/near-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/dashboard/cron')
  await callApi(page, 'POST', 'cron', { name: 'one row', task_type: 1, command: 'true', cover: 1, servers: [] })
  await page.goto('/dashboard/cron')
  await page.getByRole('row', { name: /one row/ }).focus()
  await page.keyboard.press('c')
  await page.keyboard.type('xcexx')
  await page.keyboard.press('Backspace')
  letGo()
  const form = page.getByRole('dialog', { name: 'New task' })
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('xcex')
  await expect(page.getByRole('row', { name: /one row/ })).toHaveAttribute('aria-selected', 'false')
})

test('issue 12.13: the sheet is whole at 1280x800 and at 400 px: it scrolls down and never sideways, in its groups', async ({
  signedIn: page,
}) => {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1280, height: 500 },
    { width: 400, height: 800 },
  ]) {
    await page.setViewportSize(size)
    await page.goto('/dashboard')
    await expect(page.locator('[role="row"][data-key]').first()).toBeVisible()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', keySheet).getByRole('region', keySheet)
    const sideways = await sheet.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(sideways, `${size.width}x${size.height}`).toBeLessThanOrEqual(0)
    await sheet.focus()
    await page.keyboard.press('End')
    const cut = await sheet.evaluate((element) => {
      const frame = element.getBoundingClientRect()
      const seen = (part: Element) => {
        part.scrollIntoView({ block: 'nearest' })
        const { left, right, top, bottom } = part.getBoundingClientRect()
        return left >= frame.left && right <= frame.right + 1 && top >= frame.top - 1 && bottom <= frame.bottom + 1
      }
      return [...element.querySelectorAll('dt, dd, h2, li')]
        .filter((part) => !seen(part))
        .map((part) => part.textContent)
    })
    expect(cut, `${size.width}x${size.height}`).toEqual([])
    await expect(sheet.getByRole('heading', { level: 2 }).first()).toBeAttached()
    await page.keyboard.press('Escape')
  }
})
