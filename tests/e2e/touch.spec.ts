import type { Page } from '@playwright/test'
import { startSimulatedAgent } from '../support/peers/simulated-agent.ts'
import { uuidOf } from '../support/world.ts'
import { changeSettings } from './api.ts'
import { agentSecret, expect, test } from './console.ts'

/** What a finger 44 px wide would not meet alone: the control's name, and where it misses. Links inside of a text are as tall as the text. */
function missed(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls =
      'button, a[href], input:not([type="hidden"]), textarea, label:has(input), [role="menuitem"], [role="option"]'
    const reach = 21
    const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"][data-asks]')
    const root = dialogs[dialogs.length - 1] ?? document.body
    const wrong: string[] = []
    for (const control of root.querySelectorAll<HTMLElement>(controls)) {
      if (control.closest('p, dd, [aria-hidden="true"], [data-react-aria-prevent-focus]') || !control.checkVisibility())
        continue
      control.scrollIntoView({ block: 'center', inline: 'center' })
      const { left, top, width, height } = control.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      const owner = (at: Element | null) => at?.closest('label, button, a, [role]') ?? null
      // An input lies in its box, which takes the touch; a label is as good as what it names.
      if (width < 2 || height >= 44 || owner(document.elementFromPoint(x, y)) !== owner(control)) continue
      for (const [dx, dy] of [
        [0, -reach],
        [0, reach],
      ] as const) {
        if (y + dy < 0 || y + dy > innerHeight) continue
        const at = document.elementFromPoint(x + dx, y + dy)
        const box = control.matches('input, textarea, [aria-haspopup="listbox"]')
          ? control.parentElement?.parentElement
          : null
        const isMet = at !== null && (owner(at) === owner(control) || control.contains(at) || box?.contains(at))
        if (!isMet)
          wrong.push(
            `${control.tagName} "${control.getAttribute('aria-label') ?? control.textContent}" ${width}x${height}`,
          )
      }
    }
    return [...new Set(wrong)]
  })
}

test('issue 12.14: on a phone a finger meets each control with 44 px', async ({ signedIn: page, product }) => {
  // A server that is away looks different on the status page.
  const { port } = new URL(product.url)
  await (await startSimulatedAgent({ port: Number(port), secret: agentSecret, uuid: uuidOf(1) })).close()
  // Chips that can be taken away, in more than one row.
  const outbound_allowlist = ['10.0.0.0/8', '192.168.0.0/16', 'push.intern.example.net', 'registry.intern.example.net']
  await changeSettings(page, { outbound_allowlist })
  await page.setViewportSize({ width: 400, height: 800 })
  for (const path of ['/dashboard', '/dashboard/cron', '/dashboard/settings', '/']) {
    await page.goto(path)
    await expect(page.getByRole(path === '/' ? 'listitem' : 'main').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    if (path === '/') await expect(page.getByRole('link', { name: /is offline/ }).first()).toBeVisible()
    expect(await missed(page), path).toEqual([])
  }
  await page.goto('/dashboard/cron')
  await expect(page.getByRole('heading', { name: 'Tasks' })).toBeVisible()
  await page.keyboard.press('c')
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused()
  expect(await missed(page), 'form').toEqual([])
  await changeSettings(page, { outbound_allowlist: [] })
})
