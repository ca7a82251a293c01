import Driver from 'better-sqlite3'
import { expect, testOn } from './console.ts'

const minute = 60_000
const start = Date.now()

/** In the last hour of server 1: an incident of ten minutes, a run long after it, and two runs too close to be told apart. */
const test = testOn((database) => {
  const db = new Driver(database)
  const opened = start - 50 * minute
  db.prepare(
    `insert into incidents (id, owner_id, created_at, updated_at, source, rule_id, service_id, server_id, name, state, reading, error,
      closed_at, acked_by, acked_at, silenced_until, quiet, told, runs, notice_pending, tasks_pending)
     values (9, 1, ?, ?, 'alert-rule', 0, 0, 1, 'Disk full', 'closed', 'null', '', ?, '', null, null, 0, '[]', '[]', 0, 0)`,
  ).run(opened, opened, opened + 10 * minute)
  const run = db.prepare(
    `insert into runs (id, owner_id, created_at, updated_at, kind, cron_id, name, command, started_by, finished_at, state, counts)
     values (?, 1, ?, ?, 'cron', 1, ?, 'id', 'admin', ?, 'success', '{"waiting":0,"sent":0,"running":0,"success":1,"failure":0,"no_answer":0}')`,
  )
  const event = db.prepare(`insert into events (server_id, at, kind, params) values (1, ?, 'run', ?)`)
  for (const [id, ago, name] of [
    [21, 30 * minute, 'backup'],
    [22, 12 * minute, 'rotate logs'],
    [23, 12 * minute - 5000, 'sync clock'],
  ] as const) {
    run.run(id, start - ago, start - ago, name, start - ago)
    event.run(start - ago, JSON.stringify({ name, state: 'success', run_id: id }))
  }
  db.close()
})

test('charts mark incidents and runs: pointing says what it was, pressing opens it, close ones share a menu', async ({
  signedIn: page,
}) => {
  await page.route('**/api/v1/history?*', (route) => {
    const query = new URL(route.request().url()).searchParams
    const to = Number(query.get('to'))
    const points = Array.from({ length: 60 }, (_, index) => [to - (60 - index) * minute, 40, 30, 60, 41])
    const series = query
      .get('metric')!
      .split(',')
      .map((metric) => ({ server_id: 1, metric, points }))
    return route.fulfill({ json: { success: true, data: { step_ms: minute, series } } })
  })
  const charts = '/dashboard?open=1&range=hour'
  await page.goto(charts)
  const cpu = page.getByRole('complementary').getByRole('figure').filter({ hasText: /^CPU/ })
  const incident = cpu.getByRole('link', { name: /^Disk full: .*, lasted 10 min$/ })
  await incident.hover()
  await expect(cpu.getByRole('tooltip')).toHaveText(/^Disk full: .*, lasted 10 min$/)
  // It stands where the incident began: 10 of 60 minutes from the start.
  const [mark, plot] = [(await incident.boundingBox())!, (await cpu.locator('.u-over').boundingBox())!]
  const share = (mark.x + mark.width / 2 - plot.x) / plot.width
  expect(share).toBeGreaterThan(0.1)
  expect(share).toBeLessThan(0.2)
  await cpu.getByRole('link', { name: /Ran backup: success$/ }).hover()
  await expect(cpu.getByRole('tooltip')).toHaveText(/Ran backup: success$/)
  await cpu.getByRole('button', { name: '2 events' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([/Ran rotate logs: success/, /Ran sync clock: success/])
  await page.getByRole('menuitem', { name: /sync clock/ }).click()
  await expect(page).toHaveURL(/run\/23$/)
  await page.goto(charts)
  await incident.click()
  await expect(page.getByRole('heading', { name: 'Disk full' })).toBeVisible()
  await expect(page).toHaveURL(/incident\?.*open=9/)
})
