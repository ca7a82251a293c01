import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { createWorld, type World } from '../support/world.ts'

/** A page as the API answers it. */
interface Page {
  value?: { id: number; name: string; server_id: number; state?: string }[]
  pagination: { offset?: number; limit: number; total?: number }
  all: number
  counts: Record<string, number>
}

const open = 940
const closed = 25
const start = Date.parse('2026-01-01T00:00:00Z')

let world: World
let admin: Browser
let member: Awaited<ReturnType<World['member']>>

const page = async (query: string, browser = admin) => (await browser.api('GET', query)) as Page
const ids = async (query: string, browser = admin) => (await page(query, browser)).value?.map(({ id }) => id) ?? []

beforeAll(async () => {
  world = await createWorld()
  admin = await world.login()
  member = await world.member('alice')
  const { db } = world.server.container
  await world.agent()
  await world.agent()
  const [first, second] = (await admin.api('GET', 'server')) as { id: number }[]
  await admin.api('PATCH', `server/${first!.id}`, { ...first, name: 'web-1' })
  await admin.api('PATCH', `server/${second!.id}`, { ...second, name: 'db-1', hide_for_guest: true })
  const incident = (index: number) => ({
    id: index + 1,
    owner_id: index % 100 === 0 ? member.id : 1,
    created_at: start + index * 60_000,
    updated_at: start + index * 60_000,
    source: 'alert-rule',
    rule_id: 1,
    service_id: 0,
    server_id: index % 2 === 0 ? first!.id : second!.id,
    name: `rule ${index % 7}`,
    state: index < open ? 'open' : 'closed',
    reading: 'null',
    error: index === 500 ? 'a needle' : '',
    closed_at: index < open ? null : start + index * 60_000,
    acked_by: '',
    acked_at: null,
    silenced_until: null,
    quiet: 0,
    told: '[]',
    runs: '[]',
    responses: '[]',
    notice_pending: 0,
    tasks_pending: 0,
  })
  await db
    .insertInto('incidents')
    .values(Array.from({ length: open + closed }, (_, index) => incident(index)))
    .execute()
  for (const [index, state] of ['success', 'failure', 'partial', 'open'].entries()) {
    const counts = JSON.stringify({
      waiting: 0,
      sent: index === 3 ? 1 : 0,
      running: 0,
      success: 1,
      failure: index,
      no_answer: 0,
    })
    await db
      .insertInto('runs')
      .values({
        ...{
          owner_id: 1,
          created_at: start + index,
          updated_at: start,
          kind: 'exec',
          cron_id: 0,
          name: `run ${4 - index}`,
        },
        ...{ command: 'id', started_by: 'admin', finished_at: state === 'open' ? null : start + index, state, counts },
      })
      .execute()
  }
})
afterAll(() => world.close())

describe('issue 10.9: lists that come in pages', () => {
  test('a page says how many match, how many there are, and how many in each state, behind 25 newer closed ones', async () => {
    const plain = await page('incident')
    expect(plain).toMatchObject({ pagination: { limit: 25, total: 965 }, all: 965, counts: { open: 940, closed: 25 } })
    expect(plain.value!.every(({ state }) => state === 'closed')).toBe(true)
    const wanted = await page('incident?q=open&limit=2&offset=938')
    expect(wanted).toMatchObject({ pagination: { limit: 2, offset: 938, total: 940 }, all: 965 })
    expect(wanted.value!.map(({ id }) => id)).toEqual([2, 1])
  })

  test.each([
    ['q=closed', 25],
    ['q=!closed', 940],
    ['q=open or closed', 965],
    ['q=open closed', 0],
    ['q=state:open server_id:db-1', 470],
    ['q="rule 3"', 138],
    ['q=needle', 1],
    ['q=%23501', 1],
    ['q=web', 483],
    ['q=server_id:none', 0],
    ['q=clos&typing=1', 25],
    ['state=open', 940],
    ['state=open&q=web', 470],
    ['id=3,960,7000', 2],
    ['id=3,960&q=open', 1],
    ['', 965],
  ])('%s finds %i', async (query, total) => {
    const { pagination } = await page(`incident?limit=1&${query.replaceAll(' ', '%20').replaceAll('"', '%22')}`)
    expect(pagination.total ?? 0).toBe(total)
  })

  test('any field orders, over the whole list', async () => {
    expect(await ids('incident?sort=opened_at&order=asc&limit=3')).toEqual([1, 2, 3])
    expect(await ids('incident?sort=opened_at&order=desc&limit=2')).toEqual([965, 964])
    const named = await page('incident?sort=name&order=desc&limit=2&offset=136')
    expect(named.value!.map(({ name }) => name)).toEqual(['rule 6', 'rule 5'])
    expect(await ids('run?sort=name&order=asc')).toEqual([4, 3, 2, 1])
    expect(await ids('run?sort=failure&order=desc&limit=2')).toEqual([4, 3])
  })

  test('all pages together are the whole list, once each', async () => {
    const seen = new Set<number>()
    for (let offset = 0; offset < 965; offset += 500)
      for (const id of await ids(`incident?q=rule&limit=500&offset=${offset}`)) seen.add(id)
    expect(seen.size).toBe(965)
  })

  test('runs are counted and filtered by how they ended', async () => {
    expect(await page('run')).toMatchObject({ all: 4, counts: { success: 1, failure: 1, partial: 1, open: 1 } })
    expect(await ids('run?q=state:failure,partial')).toEqual([3, 2])
    expect(await ids('run?q=failure%3E1')).toEqual([4, 3])
  })

  test('a member finds and counts own incidents only, a guest open ones of what is not hidden', async () => {
    expect(await page('incident?limit=1', member.browser)).toMatchObject({ all: 10, counts: { open: 10 } })
    expect(await page('incident?q=rule&limit=1', member.browser)).toMatchObject({ pagination: { total: 10 } })
    expect(await ids('incident?q=db-1', member.browser)).toEqual([])
    expect(await page('incident', world.guest())).toMatchObject({ all: 0, counts: {} })
  })

  test.each([
    ['q=stat:open', 'q: unknownTerm at 0: stat'],
    ['q=(open', 'q: openParen at 0: ('],
    [`q=${'('.repeat(1001)}`, 'q is longer than 1000 characters'],
    ['sort=nothing', 'sort: nothing is not a field'],
    ['sort=__proto__', 'sort: __proto__ is not a field'],
    [`id=${Array(501).fill(1).join()}`, 'id: at most 500 IDs'],
  ])('%#: what cannot be read is refused with its place', async (query, error) => {
    const { body } = await admin.send('GET', `/api/v1/incident?${query}`)
    expect(body).toMatchObject({ error, code: 'invalid', problems: [{ code: 'wrong' }] })
  })

  test('a search through many does not keep other calls waiting', async () => {
    // Time of the processor: a machine that is busy with something else lets everybody wait.
    const usedMs = () => process.cpuUsage().user / 1000
    const longestWait = async () => {
      let longest = 0
      let last = usedMs()
      const watch = setInterval(() => {
        longest = Math.max(longest, usedMs() - last)
        last = usedMs()
      }, 5)
      await ids('incident?q=nothing-like-this')
      clearInterval(watch)
      return longest
    }
    await expect.poll(longestWait).toBeLessThan(300)
  })
})
