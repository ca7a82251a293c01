import Driver from 'better-sqlite3'
import { callApi } from './api.ts'
import { expect, testOn } from './console.ts'

const open = 940
const closed = 25
const start = Date.now() - 30 * 86_400_000

/** Open incidents behind newer ones that are closed, and runs by the hundred. */
const test = testOn((database) => {
  const db = new Driver(database)
  const incident = db.prepare(
    `insert into incidents (id, owner_id, created_at, updated_at, source, rule_id, service_id, server_id, name, state, reading, error,
      closed_at, acked_by, acked_at, silenced_until, quiet, told, runs, notice_pending, tasks_pending)
     values (?, 1, ?, ?, 'service', 0, ?, 0, ?, ?, 'null', '', ?, '', null, null, 0, '[]', '[]', 0, 0)`,
  )
  const run = db.prepare(
    `insert into runs (owner_id, created_at, updated_at, kind, cron_id, name, command, started_by, finished_at, state, counts)
     values (1, ?, ?, 'exec', 0, ?, 'id', 'admin', ?, ?, ?)`,
  )
  db.transaction(() => {
    for (let index = 0; index < open + closed; index += 1) {
      const at = start + index * 60_000
      const state = index < open ? 'open' : 'closed'
      incident.run(index + 1, at, at, 1000 + index, `incident ${index + 1}`, state, state === 'open' ? null : at)
    }
    for (let index = 0; index < 450; index += 1) {
      const state = index === 3 ? 'failure' : 'success'
      const counts = { waiting: 0, sent: 0, running: 0, success: 1, failure: index === 3 ? 1 : 0, no_answer: 0 }
      run.run(start + index, start + index, `run ${index + 1}`, start + index, state, JSON.stringify(counts))
    }
  })()
  db.close()
})

test('issue 10.9: open incidents behind 25 newer closed ones are counted, listed on as one scrolls, and all of them marked', async ({
  signedIn: page,
}) => {
  await page.getByRole('link', { name: '940 open incidents' }).click()
  await expect(page).toHaveTitle(/^\(940\) /)
  const facets = page.getByRole('group', { name: 'State' })
  await expect(facets.getByRole('button', { name: '965 all' })).toBeVisible()
  await expect(facets.getByRole('button', { name: '940 open' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('940 of 965')).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Incidents' })
  await expect(grid.getByRole('row', { name: /incident 940\b/ })).toBeVisible()
  const loaded: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/incident')) loaded.push(searchParams.get('offset') ?? '0')
  })
  for (const offset of ['200', '400', '600', '800']) {
    // As a hand does: where the list was read anew meanwhile, the end is reached once more.
    await expect
      .poll(async () => {
        await grid.evaluate((element) => element.scrollBy(0, -200))
        await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return loaded
      })
      .toContain(offset)
  }
  await expect
    .poll(async () => {
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
      return grid.getByRole('row', { name: /incident 1\b/ }).isVisible()
    })
    .toBe(true)

  await grid.getByRole('row', { name: /incident 1\b/ }).focus()
  await page.keyboard.press('*')
  await expect(page.getByText('940 of 965 selected')).toBeVisible()
})

test('issue 12, looks: the site’s name is whole beside the badge of incidents, in long languages', async ({
  signedIn: page,
}) => {
  const header = page.getByRole('banner')
  const brand = header.getByText('Quarterdeck')
  for (const language of ['en-US', 'de-DE', 'ru-RU', 'ta-IN']) {
    await page.evaluate((name) => localStorage.setItem('language', name), language)
    await page.reload()
    await expect(header.getByRole('link', { name: '940' })).toBeVisible()
    for (const width of [1279, 1100, 1060, 1000, 920, 890]) {
      await page.setViewportSize({ width, height: 800 })
      const cut = () => brand.evaluate((element) => element.scrollWidth - element.clientWidth)
      await expect.poll(cut, `${language} ${width}`).toBeLessThanOrEqual(0)
    }
  }
})

test('issue 10.9: `*` marks what is not loaded yet, and the last row is the last of all', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/incident?q=open')
  await page.getByRole('row', { name: /incident 940\b/ }).focus()
  await page.keyboard.press('*')
  await expect(page.getByText('940 of 965 selected')).toBeVisible()
  await page.keyboard.press('*')
  await expect(page.getByText('940 of 965 selected')).toBeHidden()
  await page.reload()
  await page.getByRole('row', { name: /incident 940\b/ }).focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('row', { name: /incident 1\b/ })).toBeFocused()
})

test('issue 10.9: filter and order are the server’s, and a deep link finds what no page holds', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/run')
  await expect(page.getByRole('button', { name: '450 all' })).toBeVisible()
  await page.getByRole('button', { name: '1 failure' }).click()
  await expect(page.getByRole('row', { name: /run 4\b/ })).toBeVisible()
  await expect(page.getByText('1 of 450')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: /^Filter/ }).fill('"run 44"')
  await expect(page.getByText('11 of 450')).toBeVisible()
  await page.getByRole('combobox', { name: /^Filter/ }).fill('')
  await page.goto('/dashboard/run?sort=created_at-asc')
  await expect(page.getByRole('row').nth(1)).toHaveAccessibleName(/run 1\b/)
  await page.goto('/dashboard/incident?open=3')
  await expect(page.getByRole('complementary', { name: 'incident 3' })).toBeVisible()
})

test('issue 10.18: a filter that cannot be read lists nothing, and `*` marks nothing', async ({ signedIn: page }) => {
  await page.goto('/dashboard/incident?q=colour:red')
  await expect(page.getByRole('heading', { name: 'Invalid filter' })).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(0)
  await page.getByRole('heading', { name: 'Invalid filter' }).click()
  await page.keyboard.press('*')
  await expect(page.getByText('selected')).toBeHidden()
  await page
    .getByRole('button', { name: /Clear filter/ })
    .last()
    .click()
  await expect(page.getByText('965 of 965')).toBeVisible()
})

test('issue 10.23: one that is over does not keep the others from being acknowledged; both are said by name', async ({
  signedIn: page,
}) => {
  await page.goto('/dashboard/incident?q=%22incident%2094%22')
  await expect(page.getByText('11 of 965')).toBeVisible()
  for (const id of [940, 941]) {
    await page.getByRole('row', { name: new RegExp(`incident ${id}\\b`) }).focus()
    await page.keyboard.press('x')
  }
  await page.keyboard.press('a')
  const toast = page.getByRole('alertdialog', { name: /Acknowledge/ })
  await expect(toast).toContainText('Acknowledge: 1 of 2 done')
  await expect(toast).toContainText('incident 941: it’s closed')
  const { value } = (await callApi(page, 'GET', 'incident?id=941')) as { value: { state: string }[] }
  expect(value[0]!.state).toBe('closed')
})
