import { createBrowser } from '../support/browser.ts'
import { callApi } from './api.ts'
import { admin, expect, test } from './console.ts'
import { textTrouble } from './layout.ts'

test.beforeAll(async ({ product }) => {
  const browser = createBrowser(product.url)
  await browser.login(admin.username, admin.password)
  await browser.api('POST', 'cron', { name: 'nightly-backup', command: 'true', task_type: 1, cover: 1, servers: [] })
})

/** Runs in the page: buttons whose text does not fit, words that break inside one, and main buttons that are not on screen. */
function troubles(): string[] {
  /** Text beyond its button; what an element inside cuts with dots is meant to be cut. */
  const isCut = (button: HTMLElement, box: DOMRect) => {
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      let holder = text.parentElement
      while (holder && holder !== button && getComputedStyle(holder).overflow === 'visible')
        holder = holder.parentElement
      if (holder !== button) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      const { left, right, width } = range.getBoundingClientRect()
      if (width > 1 && (left < box.left - 1 || right > box.right + 1)) return true
    }
    return false
  }
  const nameOf = (button: Element) => (button.getAttribute('aria-label') ?? button.textContent ?? '').trim()
  return [...document.querySelectorAll<HTMLElement>('button, [role="button"], a[data-tone]')].flatMap((button) => {
    if (!button.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return []
    const box = button.getBoundingClientRect()
    if (box.width === 0) return []
    const found = []
    if (isCut(button, box)) found.push(`cut: ${nameOf(button)}`)
    const isMain = ['primary', 'danger'].includes(button.dataset.tone ?? '')
    const isOut = box.left < 0 || box.right > innerWidth || box.bottom > innerHeight || box.top < 0
    if (isMain && isOut && !button.closest('form')) found.push(`off screen: ${nameOf(button)}`)
    return found
  })
}

const paths = [
  '',
  '/service',
  '/cron',
  '/notification',
  '/alert-rule',
  '/incident',
  '/server-group',
  '/run',
  '/settings',
]

test('issue 12, looks: on a phone no button is cut and the main one is on screen, in long languages; rows begin early', async ({
  signedIn: page,
}) => {
  test.setTimeout(180_000)
  for (const language of ['ru-RU', 'ta-IN', 'de-DE']) {
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
    for (const path of paths) {
      await page.goto(`/dashboard${path}`)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
      for (const width of [400, 320]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => page.evaluate(troubles), `${path} ${language} ${width}`).toEqual([])
      }
    }
    await page.goto('/dashboard/cron')
    await expect(page.getByText('nightly-backup')).toBeVisible()
    // Other tests' tasks may stand before it.
    const { y } = (await page.getByRole('grid').getByRole('row').first().boundingBox())!
    expect(y, `${language}: first row`).toBeLessThan(160)
    await page.getByRole('main').locator('[data-action="cron.create"]').click()
    await expect(page.getByRole('dialog').locator('[data-tone="primary"]')).toBeInViewport({ ratio: 1 })
    await expect.poll(() => page.evaluate(troubles), `form ${language}`).toEqual([])
    await page.keyboard.press('Escape')
  }
})

test('issue 18: on a card the name of a value is whole or gone, never a sliver, and its value stays', async ({
  signedIn: page,
}) => {
  const name = 'a-backup-of-everything-in-the-cellar-of-the-old-building'
  const task = { name, scheduler: '0 30 4 * * 1', task_type: 0, command: 'true', cover: 1, servers: [] }
  await callApi(page, 'POST', 'cron', task)
  await page.goto('/dashboard/cron')
  const card = page.getByRole('row').filter({ hasText: name })
  for (const width of [400, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const seen = () =>
      card.locator('[data-what]').evaluateAll((names) =>
        names.map((one) => {
          const [own, around] = [one.getBoundingClientRect(), one.parentElement!.getBoundingClientRect()]
          const isGone = own.top >= around.bottom - 1
          return isGone || one.scrollWidth <= one.clientWidth ? 'well' : `${one.textContent} cut`
        }),
      )
    await expect.poll(seen, `${width}`).toEqual(['well'])
    await expect(card.getByText(/:\d\d$/)).toBeInViewport()
  }
})

test('issue 12, looks: up to 890 px name, filter, count and buttons of a list are one row', async ({
  signedIn: page,
}) => {
  for (const width of [890, 640]) {
    await page.setViewportSize({ width, height: 800 })
    const row = page.getByRole('row').nth(1)
    await expect(row).toBeVisible()
    expect((await row.boundingBox())!.y, `${width}`).toBeLessThan(125)
    const parts = [
      page.getByRole('heading', { level: 1, name: 'Servers' }),
      page.getByRole('search').getByRole('combobox'),
      page.getByRole('search').getByRole('status'),
      page.getByRole('main').locator('[data-action="server.install"]'),
    ]
    for (const part of parts) await expect(part).toBeVisible()
    const boxes = await Promise.all(parts.map(async (part) => (await part.boundingBox())!))
    for (const [index, box] of boxes.slice(1).entries()) {
      expect(box.x, `${width}: part ${index + 1}`).toBeGreaterThanOrEqual(boxes[index]!.x + boxes[index]!.width)
      expect(Math.abs(box.y + box.height / 2 - boxes[0]!.y - boxes[0]!.height / 2)).toBeLessThan(4)
    }
  }
})

/** Letters of scripts that no usual font of a machine has. */
const scripts = { 'zh-CN': /\p{Script=Han}/u, 'ta-IN': /\p{Script=Tamil}/u } as const

test('issue 12.14: Chinese and Tamil are drawn by fonts that have them, and nothing is cut at 400 px', async ({
  signedIn: page,
}) => {
  await page.setViewportSize({ width: 400, height: 800 })
  for (const [language, letters] of Object.entries(scripts)) {
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
    for (const path of ['', '/cron', '/settings']) {
      await page.goto(`/dashboard${path}`)
      await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeAttached()
      const session = await page.context().newCDPSession(page)
      await session.send('DOM.enable')
      await session.send('CSS.enable')
      const { root } = await session.send('DOM.getDocument', { depth: 0 })
      const { nodeIds } = await session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: 'main *' })
      let drawn = 0
      for (const nodeId of nodeIds) {
        // What is drawn anew meanwhile is gone under this number.
        const found = await session.send('DOM.describeNode', { nodeId, depth: 1 }).catch(() => null)
        const [only, ...others] = found?.node.children ?? []
        if (others.length > 0 || only?.nodeType !== 3 || ![...only.nodeValue].every((one) => letters.test(one)))
          continue
        const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId }).catch(() => ({ fonts: [] }))
        const families = fonts.map(({ familyName }) => familyName)
        expect(
          families.filter((name) => !/CJK|Tamil/.test(name)),
          `${path} ${language}: ${only.nodeValue}`,
        ).toEqual([])
        drawn += families.length
      }
      expect(drawn, `${path} ${language}`).toBeGreaterThan(0)
      await session.detach()
      expect(await textTrouble(page.getByRole('main')), `${path} ${language}`).toEqual([])
    }
  }
})

test('on a phone the tab of the page is on screen, in long languages', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 400, height: 800 })
  for (const language of ['en-US', 'de-DE', 'ta-IN']) {
    await page.evaluate((chosen) => localStorage.setItem('language', chosen), language)
    for (const path of ['/maintenance-window', '/settings/audit', '/settings']) {
      await page.goto(`/dashboard${path}`)
      await expect(page.locator('nav a[aria-current="page"]').last(), `${path} ${language}`).toBeInViewport({
        ratio: 1,
      })
    }
  }
})

test('on a card a value in a long language is whole, beside a name that is cut', async ({ signedIn: page }) => {
  await callApi(page, 'POST', 'user', {
    username: 'maria-antonia.von-hohenstein',
    password: 'a long pass word',
    role: 1,
  })
  await page.setViewportSize({ width: 400, height: 800 })
  await page.evaluate(() => localStorage.setItem('language', 'ta-IN'))
  await page.goto('/dashboard/settings/user')
  const card = page.getByRole('row').filter({ hasText: 'maria-antonia' })
  const value = card.getByText('ஒருபோதும் இல்லை')
  await expect(value).toBeVisible()
  const { left, right, shown } = await value.evaluate((one) => {
    const box = one.getBoundingClientRect()
    const around = one.parentElement!.getBoundingClientRect()
    return { left: box.left - around.left, right: around.right - box.right, shown: one.clientWidth >= one.scrollWidth }
  })
  expect(left).toBeGreaterThan(-1)
  expect(right).toBeGreaterThan(-1)
  expect(shown).toBe(true)
})

test('what a page tells on a phone is not cut', async ({ signedIn: page }) => {
  const task = { name: 'long-words', scheduler: '0 30 4 * * 1', task_type: 0, command: 'true', cover: 1, servers: [] }
  const id = await callApi(page, 'POST', 'cron', task)
  await page.setViewportSize({ width: 400, height: 800 })
  await page.evaluate(() => localStorage.setItem('language', 'ta-IN'))
  await page.goto(`/dashboard/cron?open=${id}`)
  const values = page.getByRole('complementary').locator('dd')
  await expect(values.first()).toBeVisible()
  const cut = () =>
    values
      .locator('span')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent))
  await expect.poll(cut).toEqual([])
})
