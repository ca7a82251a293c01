import { expect, test } from './console.ts'

const hour = 3_600_000

test('N-17 a server has history: ranges, values at the cursor of the keys, a closer look by dragging', async ({
  signedIn: page,
}) => {
  const points = async () => {
    const answer = await page.request.get(
      `/api/v1/history?servers=1&metric=cpu&from=${Date.now() - hour}&to=${Date.now()}`,
    )
    return (await answer.json()).data.series[0]?.points.length ?? 0
  }
  await expect.poll(points, { timeout: 90_000 }).toBeGreaterThan(0)
  await page.goto('/dashboard?open=1')
  const panel = page.getByRole('complementary')
  // From then on no answer comes: with a new point, the cursor's place has another number.
  let isShown = false
  await page.route('**/api/v1/history?*', (route) => (isShown ? undefined : route.continue()))
  await panel.getByRole('radio', { name: '1 h', exact: true }).check({ force: true })
  const cpu = panel.getByRole('slider', { name: /^CPU/ })
  await expect(cpu).toHaveAttribute('aria-valuetext', /CPU \d/)
  isShown = true
  const newest = Number(await cpu.getAttribute('aria-valuenow'))
  await cpu.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(cpu).toHaveAttribute('aria-valuenow', String(newest - 1))
  // Issue 12, beyond: all charts of the page stand at the same moment.
  await expect(panel.getByRole('slider', { name: /^Memory/ })).toHaveAttribute('aria-valuenow', String(newest - 1))
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(cpu).toHaveAttribute('aria-valuenow', String(newest - 11))
  // A chart that is drawn anew, as with each new point, keeps the moment that is read.
  const drawn = (await cpu.locator('canvas').elementHandle())!
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => drawn.evaluate((canvas) => canvas.isConnected)).toBe(false)
  await expect(cpu).toHaveAttribute('aria-valuenow', String(newest - 11))
})

test('charts of two servers stand together, and a drag looks closer', async ({ signedIn: page }) => {
  const asked: URL[] = []
  await page.route('**/api/v1/history?*', (route) => {
    const url = new URL(route.request().url())
    asked.push(url)
    const [from, to] = ['from', 'to'].map((name) => Number(url.searchParams.get(name))) as [number, number]
    const step = (to - from) / 60
    const ids = url.searchParams.get('servers')!.split(',').map(Number)
    const series = ids.flatMap((id) =>
      url.searchParams
        .get('metric')!
        .split(',')
        .map((metric) => ({
          server_id: id,
          metric,
          points: Array.from({ length: 60 }, (_, index) => [from + index * step, 40 + id, 30, 60, 41]),
        })),
    )
    return route.fulfill({ json: { success: true, data: { step_ms: step, series } } })
  })
  await page.goto('/dashboard?open=1')
  const panel = page.getByRole('complementary')
  await panel.getByRole('radio', { name: '1 h', exact: true }).check({ force: true })
  const cpu = panel.getByRole('slider', { name: /^CPU/ })
  await expect(cpu).toHaveAttribute('aria-valuetext', /CPU 41% \(30% to 60%\)/)
  const box = (await cpu.boundingBox())!
  await page.mouse.move(box.x + 200, box.y + 40)
  await page.mouse.down()
  await page.mouse.move(box.x + 320, box.y + 40, { steps: 4 })
  await page.mouse.up()
  await expect(panel.getByRole('button', { name: 'Full range' })).toBeVisible()
  const last = asked.at(-1)!.searchParams
  expect(Number(last.get('to')) - Number(last.get('from'))).toBeLessThan(hour / 2)
  await panel.getByRole('button', { name: 'Full range' }).click()
  await expect(panel.getByRole('button', { name: 'Full range' })).toBeHidden()
})

test('issue 18: one key compares what is marked: the page of the first one opens with its history', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard')
  await page.getByRole('row').nth(1).focus()
  const asked = page.waitForRequest((request) => request.url().includes('/api/v1/history?servers=1&'))
  await page.keyboard.press('h')
  await asked
  const panel = page.getByRole('complementary')
  await expect(panel.getByRole('radio', { name: '1 h', exact: true })).toBeChecked()
})

test('without points it says so, and what happened to the server is listed', async ({ signedIn: page }) => {
  await page.route('**/api/v1/history?*', (route) =>
    route.fulfill({ json: { success: true, data: { step_ms: 30_000, series: [] } } }),
  )
  await page.goto('/dashboard?open=1')
  const panel = page.getByRole('complementary')
  await panel.getByRole('radio', { name: '7 d' }).check({ force: true })
  await expect(panel.getByText('No history yet')).toBeVisible()
  await expect(
    panel.getByText('Came online').or(panel.getByText('Agent connected for the first time')).first(),
  ).toBeVisible()
})
