import { afterEach, beforeEach, expect, test } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { createWorld, siteSecret, uuidOf, type World } from '../support/world.ts'

interface Item {
  group: { id: number; name: string }
  servers: number[] | null
}

let world: World
let root: Browser
let alice: Awaited<ReturnType<World['member']>>

beforeEach(async () => {
  world = await createWorld()
  root = await world.login()
  alice = await world.member('alice')
  await world.agent({ uuid: uuidOf(1), secret: alice.secret })
  await world.agent({ uuid: uuidOf(2), secret: siteSecret })
  await world.agent({ uuid: uuidOf(3), secret: siteSecret })
})
afterEach(() => world.close())

const make = (browser: Browser, name: string, servers: readonly number[]) =>
  browser.api('POST', 'server-group', { name, servers }) as Promise<number>
const regroup = (browser: Browser, body: object) => browser.api('POST', 'batch-group/server', body)
async function members(): Promise<Record<string, number[]>> {
  const items = (await root.api('GET', 'server-group')) as Item[]
  return Object.fromEntries(items.map(({ group, servers }) => [group.name, [...(servers ?? [])].sort()]))
}

test('issue 12: servers join and leave groups in one call; those that are in already, or are not, change nothing', async () => {
  const web = await make(root, 'web', [1])
  const db = await make(root, 'db', [2, 3])
  await regroup(root, { ids: [1, 2], add: [web], remove: [db] })
  expect(await members()).toEqual({ web: [1, 2], db: [3] })
})

test('issue 12: two people who put servers into one group at once lose nothing of each other', async () => {
  const web = await make(root, 'web', [])
  const other = await world.login()
  await Promise.all([
    regroup(root, { ids: [1], add: [web] }),
    regroup(other, { ids: [2], add: [web] }),
    regroup(root, { ids: [3], add: [web] }),
  ])
  expect(await members()).toEqual({ web: [1, 2, 3] })
})

test('issue 12: what is not the caller’s is refused whole, and nothing of it happens', async () => {
  const mine = await make(alice.browser, 'mine', [])
  const foreign = await make(root, 'foreign', [2])
  const refused = async (browser: Browser, body: object) => {
    const { problems = [] } = (await browser.send('POST', '/api/v1/batch-group/server', { body })).body
    return problems.map(({ field, code }) => `${field} ${code}`)
  }
  expect(await refused(alice.browser, { ids: [2], add: [mine] })).toEqual(['ids unknownReference'])
  expect(await refused(alice.browser, { ids: [1], add: [mine], remove: [foreign] })).toEqual([
    'remove unknownReference',
  ])
  expect(await refused(alice.browser, { ids: [1], add: [foreign] })).toEqual(['add unknownReference'])
  // A group of a member's holds only that member's servers, whoever puts them there.
  expect(await refused(root, { ids: [2], add: [mine] })).toEqual(['servers unknownReference'])
  expect(await refused(root, { ids: [1] })).toEqual(['add nothingChanged'])
  // A token that is limited to some servers changes no group that holds others.
  const script = await createScript(world, root, { scopes: ['nezha:*'], server_ids: [1] })
  const byScript = await script.send('POST', 'batch-group/server', { ids: [1], add: [foreign] })
  expect(byScript.body.problems).toMatchObject([{ field: 'add', code: 'unknownReference' }])
  expect(await members()).toEqual({ mine: [], foreign: [2] })
})
