import { adminScopes, server as serverResource, tokenScopes } from '@qd/core/resources'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import { createBrowser } from '../support/browser.ts'
import { memberKinds, sampleBody, sampleDomain } from '../support/samples.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

/** In the text of every record of alice's that nobody else may read. */
const canary = 'canary-9f31'

/** In the names of those that belong to no server. */
const alices = 'of-alice-52c0'

/** Calls of one principal. `sees`: what its answers must not hold. */
interface Principal {
  name: string
  sees: readonly string[]
  send(method: string, path: string, body: unknown): Promise<string>
}

type Body = Readonly<Record<string, unknown>>
interface Operation {
  operationId?: string
  tags?: readonly string[]
  requestBody?: { content: { 'application/json': { schema: { type?: string } } } }
}

let world: World
let alice: Awaited<ReturnType<World['member']>>
let principals: Principal[]
let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
/** Alice's record of each resource, and its input as the wire has it. */
const own = new Map<string, { id: number; body: Body }>()
/** Her servers: the second one is what her limited token must not reach. */
let servers: readonly number[]

/** No one address makes so many calls that it is refused for them. */
let calls = 0
const from = () => `127.${1 + Math.floor(calls / 60_000)}.${Math.floor(calls / 240) % 250}.${1 + (calls++ % 240)}`

beforeAll(async () => {
  world = await createWorld({ config: { trustProxy: [] } })
  const { container } = world.server
  await container.settings.put({ ...container.settings.get(), nat_domains: sampleDomain })
  alice = await world.member('alice')
  const bob = await world.member('bob')
  const onCommand = (name: string) => () => ({ data: `#@ systemctl\nId=${name}.service\n`, successful: true })
  await world.agent({ uuid: uuidOf(1), secret: alice.secret, onCommand: onCommand('first') })
  await world.agent({ uuid: uuidOf(2), secret: alice.secret, onCommand: onCommand(canary) })
  await world.agent({ uuid: uuidOf(3), secret: bob.secret, onCommand: onCommand('bob') })
  const idOf = (n: number) => container.servers.byUuid(uuidOf(n))!.id
  servers = [idOf(1), idOf(2)]
  for (const id of servers) {
    const [name, note] = id === servers[1] ? [`${canary} server`, canary] : ['first', '']
    const values = { ...serverResource.initial, name, note, hide_for_guest: true }
    const body = serverResource.wire.encode(values) as Body
    await alice.browser.api('PATCH', `server/${id}`, body)
    own.set('server', { id, body })
  }
  const second = servers[1]!
  for (const kind of memberKinds) {
    // A token that is limited to other servers may read what belongs to none.
    const whose = kind.targets || kind.about ? canary : alices
    const body = sampleBody(kind, { name: `${whose}-${kind.name}`, server: second })
    const answer = await alice.browser.api('POST', kind.wire.path, body)
    own.set(kind.name, { id: typeof answer === 'number' ? answer : (answer as { id: number }).id, body })
  }
  const scopes = tokenScopes.filter((scope) => !adminScopes.includes(scope) && scope.endsWith(':*'))
  const full = await createScript(world, bob.browser, { scopes })
  const limited = await createScript(world, alice.browser, { scopes, server_ids: [servers[0]!] })
  own.set('api-token', { id: limited.id, body: {} })
  await alice.browser.api('POST', `cron/${own.get('cron')!.id}/manual`)
  const run = (await container.db.selectFrom('runs').select('id').executeTakeFirstOrThrow()).id
  own.set('run', { id: run, body: {} })
  paths = ((await alice.browser.send('GET', '/api/v1/openapi.json')).body as { paths: typeof paths }).paths

  const by = (name: string, Authorization: string | null, sees: readonly string[]): Principal => ({
    name,
    sees,
    async send(method, path, body) {
      const headers = Authorization === null ? {} : { Authorization }
      const sent = { bare: true, headers, from: from(), ...(method !== 'GET' && { body }) }
      return (await createBrowser(world.origin).send(method, path, sent)).text
    },
  })
  const everything = [canary, alices, alice.secret]
  let session = bob.browser
  principals = [
    by('a visitor', null, everything),
    by('the agent secret as bearer', `Bearer ${alice.secret}`, everything),
    {
      name: 'another member',
      sees: everything,
      async send(method, path, body) {
        const sent = { from: from(), ...(method !== 'GET' && { body }) }
        const { text } = await session.send(method, path, sent)
        // Some calls end the session that makes them.
        if (!session.cookies.has('nz-jwt')) session = await world.login({ username: 'bob', password: bob.password })
        return text
      },
    },
    by('another member’s full token', `Bearer ${full.token}`, everything),
    by('an own token that is limited to another server', `Bearer ${limited.token}`, [canary]),
  ]
})
afterAll(() => world.close())

/** The newest record of each resource before the first call. */
const newest = new Map<string, number>()

/** What changes by itself: when a token was used and by whom, what agents say of their hosts, and what comes of the run that is under way. */
const changing = {
  ...{ last_used_at: 0, last_used_ip: '', checked_at: 0, check_error: '' },
  ...{ last_seen_at: 0, host: '', geoip: '' },
  ...{ last_executed_at: 0, last_result: false, last_counts: '' },
}

/** All that is alice's, but what changes by itself. `within`: the server that a limited token may change; it may also add records. */
async function digest(within: number | null): Promise<string> {
  const { kept, db, accounts, settings, sessions } = world.server.container
  const records = kept.flatMap(({ resource, records }) =>
    records
      .all()
      .filter((row) => row.owner_id === alice.id && !(resource.name === 'server' && row.id === within))
      .filter((row) => within === null || row.id <= (newest.get(resource.name) ?? 0))
      .map((row) => ({ of: resource.name, ...row, ...changing })),
  )
  const runs = await db.selectFrom('runs').selectAll().where('owner_id', '=', alice.id).orderBy('id').execute()
  const user = accounts.find(alice.id)
  const signedIn = sessions.all().filter(({ user_id }) => user_id === alice.id).length
  return JSON.stringify({ records, runs: runs.map(({ id }) => id), user, signedIn, settings: settings.get() })
}

/** The calls of one route: with what its definition takes, and with every word by which a body names a record or a server. */
function callsOf(path: string, operation: Operation): { at: string; body: unknown }[] {
  const tag = operation.tags?.[0] ?? ''
  const of = (name: string) => own.get(name)?.id ?? 1
  const id = path.startsWith('/server/') ? servers[1]! : path.startsWith('/service/') ? of('service') : of(tag)
  const at = `/api/v1${path.replace('{id}', String(id)).replace(/\{\w+\}/g, 'none')}`
  const second = servers[1]!
  const words = {
    ...own.get(tag)?.body,
    name: 'taken',
    id,
    ids: [id],
    servers: [second],
    server_id: second,
    path: '/etc/hostname',
    content: 'taken',
    command: 'id',
    to_user: 3,
    username: 'alice',
    new_password: 'taken-taken-1',
    role: 0,
    canary: 0,
    batch: 1,
    max_failures: 0,
    targets: [{ server_id: second, name: 'taken.service' }],
    timeout: 5,
  }
  const query = new URLSearchParams({
    id: String(second),
    server_id: String(second),
    servers: String(second),
    metrics: 'cpu',
    metric: 'cpu',
    period: '1d',
    uuid: uuidOf(2),
    os: 'linux',
  })
  return [
    { at, body: own.get(tag)?.body ? { ...own.get(tag)!.body, name: 'taken' } : {} },
    { at: `${at}?${query}`, body: words },
    { at, body: [id] },
    { at, body: { ids: [id], servers: [second] } },
  ]
}

test('issue 37.9 a record of each kind that a member makes is tried', () => {
  expect([...own.keys()]).toEqual(expect.arrayContaining(memberKinds.map(({ name }) => name)))
})

test('issue 37.8 the authorization matrix: every route of the OpenAPI document, tried by five principals, reads and changes nothing of somebody else', {
  timeout: 300_000,
}, async () => {
  const wrong: string[] = []
  for (const { resource, records } of world.server.container.kept)
    newest.set(resource.name, Math.max(0, ...records.all().map(({ id }) => id)))
  let tried = 0
  for (const principal of principals) {
    const within = principal.name.startsWith('an own token') ? servers[0]! : null
    let before = await digest(within)
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        for (const { at, body } of callsOf(path, operation)) {
          const text = await principal.send(method.toUpperCase(), at, body)
          tried += 1
          const what = `${principal.name}: ${method.toUpperCase()} ${at} ${JSON.stringify(body)}`
          for (const word of principal.sees) if (text.includes(word)) wrong.push(`read ${word}: ${what}`)
          const after = await digest(within)
          if (after !== before) wrong.push(`changed: ${what}`)
          before = after
        }
      }
    }
  }
  expect(wrong.map((line) => line.slice(0, 300))).toEqual([])
  expect(tried).toBeGreaterThan(Object.keys(paths).length * principals.length)
})
