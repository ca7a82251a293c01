import { expect, test } from '/work/wt/webbuild/tests/e2e/console.ts'
test('figures', async ({ signedIn: page, browser, product }) => {
  await page.addInitScript(() => {
    new MutationObserver((_c, o) => {
      if (document.querySelectorAll('[role=row]').length < 2) return
      o.disconnect()
      Object.assign(globalThis, { before: performance.getEntriesByType('resource').map((f: any) => [f.name.replace(location.origin, ''), f.encodedBodySize, Math.round(f.startTime), Math.round(f.responseEnd)]), at: performance.now() })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto('/dashboard')
  await page.waitForFunction(() => 'before' in globalThis)
  const { before, at } = await page.evaluate(() => ({ before: (globalThis as any).before, at: (globalThis as any).at }))
  console.log(before.map((x: any) => x.join(' ')).join('\n'), '\nrows at', at)
})
