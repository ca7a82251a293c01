import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, createBrowser } from '../support/browser.ts'
import { isOnPostgres } from '../support/test-database.ts'
import { createWorld, type World } from '../support/world.ts'
import { type CallerName, type Jar, signIn, users } from './callers.ts'
import { additions, compareShape, type Deviation } from './compare.ts'
import type { Difference, Skip } from './difference.ts'
import { differences, skips } from './differences.ts'
import { buildPages, enter, type Group, groups } from './scenes.ts'
import { patFor, tokenFor } from './scenes-tokens.ts'

/** One recorded call. */
interface Step {
  name: string
  as: CallerName
  request: { method: string; path: string; headers?: Record<string, string>; body?: unknown; bodyText?: string }
  response: { status: number; headers: Record<string, string | string[]>; body?: unknown; bodyText?: string }
}

/** A server and the cookies of everybody who calls it. */
interface Scene {
  world: World
  jars: Map<CallerName, Jar>
  /** Texts of API tokens, in the order they were made. */
  pats: string[]
}

const load = (file: string): Step[] =>
  JSON.parse(readFileSync(new URL(`../data/fixtures/http/${file}.json`, import.meta.url), 'utf8')) as Step[]

const used = new Set<Skip | Difference>()
const met = new Set<string>()

/** What the recording says and the answer does not. */
function deviationsOf({ response }: Step, answer: Answer): Deviation[] {
  const deviations: Deviation[] = []
  const say = (at: string, what: string) => deviations.push({ at, what })
  if (answer.status !== response.status) say('status', `${answer.status} instead of ${response.status}`)
  for (const name of ['content-type', 'location', 'www-authenticate']) {
    const [recorded, actual] = [response.headers[name], answer.headers[name]]
    if (recorded !== actual) say(`headers.${name}`, `${actual} instead of ${recorded}`)
  }
  const names = (lines: readonly string[]) => lines.map((line) => line.split('=')[0]).join(' ')
  const [cookies, recorded] = [names(answer.cookies), names((response.headers['set-cookie'] ?? []) as string[])]
  if (cookies !== recorded) say('headers.set-cookie', `${cookies || 'none'} instead of ${recorded || 'none'}`)
  if ('body' in response) deviations.push(...compareShape(response.body, answer.body, met))
  else if (response.bodyText !== undefined && !isSameText(response.bodyText, answer.text))
    say('bodyText', JSON.stringify(answer.text))
  return deviations
}

/** The text, or the block page with this reason (fixtures/README, "Placeholders"). */
function isSameText(recorded: string, text: string): boolean {
  const reason = /^<block-page: (.*)>$/.exec(recorded)?.[1]
  if (reason === undefined) return text === recorded
  return text.includes('<title>Blocked</title>') && text.includes(reason) && text.includes('nezha WAF')
}

/** Holds an answer against what the table says of it. */
function checkDifference(row: Difference, deviations: readonly Deviation[], answer: Answer): void {
  expect(lines(deviations), `no longer differs: remove the row (${row.why})`).not.toEqual([])
  const explained = [...(row.at ?? [])]
  if (row.status !== undefined) {
    expect(answer.status).toBe(row.status)
    explained.push(/^status$/)
  }
  if (row.error !== undefined) {
    expect(answer.body?.error).toEqual(typeof row.error === 'string' ? row.error : expect.stringMatching(row.error))
    explained.push(/^body\.(error|success|data)$/, /^headers\./)
  }
  if (row.success) {
    expect(answer.body?.success).toBe(true)
    explained.push(/^body\.(error|success|data)$/)
  }
  expect(lines(deviations.filter(({ at }) => !explained.some((pattern) => pattern.test(at)))).join('\n')).toBe('')
}

const lines = (deviations: readonly Deviation[]) => deviations.map(({ at, what }) => `${at}: ${what}`)

function replay(file: string, scene: Scene): void {
  for (const step of load(file)) {
    const skip = skips.find(
      (row) => row.file === file && (typeof row.step === 'string' ? row.step === step.name : row.step.test(step.name)),
    )
    if (skip) {
      used.add(skip)
      continue
    }
    test(`${file}: ${step.name}`, async () => {
      await enter(file, step.name, scene.world)
      const answer = await perform(step, file, scene)
      const deviations = deviationsOf(step, answer)
      const row = differences.find((difference) => difference.file === file && difference.step === step.name)
      if (row) {
        used.add(row)
        checkDifference(row, deviations, answer)
        await settle(row, step, scene, answer)
      } else expect(lines(deviations).join('\n')).toBe('')
    })
  }
}

/** Brings the server into the state that the recorded answer left behind, so that the steps that follow can be compared. */
async function settle(row: Difference, step: Step, { world, jars }: Scene, answer: Answer): Promise<void> {
  const jar = jars.get(step.as)
  const browser = createBrowser(world.origin)
  if (jar)
    for (const [name, value] of [
      ['nz-jwt', jar.jwt],
      ['nz-csrf', jar.csrf],
    ] as const)
      browser.cookies.set(name, value)
  const { method, path } = step.request
  if (row.instead !== undefined) await browser.api(method, path.replace('/api/v1/', ''), row.instead)
  if (row.undo) {
    await browser.api('POST', `batch-delete/${row.undo}`, [answer.body.data])
    const [table, last] = [`${row.undo.replace('-', '_')}s`, Number(answer.body.data) - 1]
    const statement = isOnPostgres
      ? sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`
      : sql`update sqlite_sequence set seq = ${last} where name = ${table}`
    await statement.execute(world.server.container.db)
  }
}

async function perform(step: Step, file: string, { world, jars, pats }: Scene): Promise<Answer> {
  const { method, path, headers = {}, body, bodyText } = step.request
  const own = jars.get(step.as) ?? jars.get('admin')!
  const { jwt, csrf } = { ...own, ...(await tokenFor(file, step.name, { world, own })) }
  const pat = patFor(step.name, pats)
  const fill = (text: string) => text.replaceAll('<jwt>', jwt).replaceAll('<csrf>', csrf).replaceAll('<pat>', pat)
  const answer = await createBrowser(world.origin).send(method, fill(path), {
    bare: true,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    ...(bodyText === undefined ? body !== undefined && { bodyText: JSON.stringify(body) } : { bodyText }),
  })
  const { token } = (answer.body?.data ?? {}) as { token?: string }
  if (token?.startsWith('nzp_')) pats.push(token)
  // A sign-in or refresh told as somebody is that person's from then on.
  if (step.as !== 'guest' && answer.cookies.length === 2) jars.set(step.as, jarOf(answer))
  return answer
}

function jarOf({ cookies }: Answer): Jar {
  const value = (name: string) => cookies.find((line) => line.startsWith(`${name}=`))?.split(/[=;]/)[1] ?? ''
  return { jwt: value('nz-jwt'), csrf: value('nz-csrf') }
}

describe.each<Group>(groups)('recorded on $name', (group) => {
  const scene = { jars: new Map<CallerName, Jar>(), pats: [] as string[] } as Scene
  beforeAll(async () => {
    const { clock } = group
    scene.world = await createWorld({
      config: { adminPassword: 'admin' },
      resolve: async () => [],
      ...(clock && { clock }),
    })
    // Members of existing dashboards use NAT under any name (decisions.md, "NAT names").
    const { settings } = scene.world.server.container
    await settings.put({ ...settings.get(), nat_domains: 'example.test' })
    buildPages(scene.world.data)
    await group.prepare(scene.world)
    if (group.tokens) scene.pats.push(...(await group.tokens(scene.world)))
    scene.jars.set('admin', await signIn(scene.world, { username: 'admin', password: 'admin' }))
    for (const user of users.slice(0, group.users)) scene.jars.set(user.caller, await signIn(scene.world, user))
  })
  afterAll(() => scene.world.close())
  for (const file of group.files) replay(file, scene)
})

test('every row of the tables is still needed', () => {
  expect([...skips, ...differences].filter((row) => !used.has(row))).toEqual([])
  expect(additions.filter(({ key }) => !met.has(key))).toEqual([])
})
