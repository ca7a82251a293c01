import { selectionInitial } from '@qd/core/resources'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openForTest } from '../../../../../tests/support/server/db.ts'
import { createSessions } from '../../access/sessions.ts'
import { createSockets } from '../../access/sockets.ts'
import type { Clock } from '../../kernel/ports.ts'
import { systemRandom } from '../../kernel/ports.ts'
import type { Engine } from '../../store/db/columns.ts'
import type { Db } from '../../store/db/schema.ts'
import { createAccounts } from '../../store/records/accounts.ts'
import { createSettings } from '../../store/records/settings.ts'
import { entityTables } from '../../store/records/table.ts'
import { crons as cronsEntity } from './cron.ts'
import { notifications as notificationsEntity } from './notification.ts'
import { notificationGroups as notificationGroupsEntity } from './notification-group.ts'
import { createNames, servers as serversEntity } from './server.ts'
import { serverGroups as serverGroupsEntity } from './server-group.ts'

describe.each<Engine>(['sqlite', 'postgres'])('stores on %s', (engine) => {
  let db: Db
  let now = 1_800_000_000_000
  const clock: Clock = { now: () => now, after: () => () => {} }
  const quota = { of: () => Number.POSITIVE_INFINITY, demandRoom: () => {} }
  const parts = () => ({ db, clock, random: systemRandom, quota })
  beforeAll(async () => {
    db = await openForTest(engine)
  })
  afterAll(() => db.destroy())

  test('servers: enrolled once, edited, and the same after a restart', async () => {
    const servers = await serversEntity.load(parts())
    const [first, again] = await Promise.all([
      servers.enrol({ uuid: 'a', ownerId: 0 }),
      servers.enrol({ uuid: 'a', ownerId: 0 }),
    ])
    expect(again).toEqual(first)
    expect(first.name).toMatch(/^[a-z]+-[a-z]+$/)
    const second = await servers.enrol({ uuid: 'b', ownerId: 2 })
    await servers.update(second.id, (row) => ({
      ...row,
      name: 'web',
      display_index: 5,
      hide_for_guest: true,
      ddns_profiles: [7],
      override_ddns_domains: { '7': ['a.example'] },
    }))
    await servers.seen(new Map([[second.id, { last_seen_at: now, host: { version: '2.3.3' } }]]))
    expect(servers.all().map((row) => row.uuid)).toEqual(['b', 'a'])
    const reopened = await serversEntity.load(parts())
    expect(reopened.all()).toEqual(servers.all())
    expect(reopened.byUuid('b')).toMatchObject({
      name: 'web',
      hide_for_guest: true,
      last_seen_at: now,
      host: { version: '2.3.3' },
    })
  })

  test('issue 12.12: a host is named by its hostname, else by a generated name that does not repeat', async () => {
    const servers = await serversEntity.load(parts())
    const came = await Promise.all(
      Array.from({ length: 120 }, (_, index) => servers.enrol({ uuid: `new-${index}`, ownerId: 0 })),
    )
    expect(new Set(came.map(({ name }) => name)).size).toBe(120)
    await servers.remove(came.map(({ id }) => id))
    const named = async (uuid: string, hostname: string) => {
      const row = await servers.enrol({ uuid, ownerId: 0, hostname })
      return row.name
    }
    expect(await named('h1', 'web-1.example.net')).toBe('web-1.example.net')
    const others = await Promise.all(
      [
        'web-1.example.net',
        'WEB-1.example.net',
        'localhost',
        'LocalHost.localdomain',
        'a b',
        '<b>',
        '7',
        'x'.repeat(129),
      ].map((name, index) => named(`h2-${index}`, name)),
    )
    for (const name of others) expect(name).toMatch(/^[a-z]+-[a-z]+(-\d+)?$/)
    await servers.remove([servers.byUuid('h1')!.id])
    expect(await named('h3', 'web-1.example.net')).toBe('web-1.example.net')
    // A person may give the same name twice: deleting one of the two doesn't free it.
    const [id, twin] = [servers.byUuid('h2-0')!.id, servers.byUuid('h2-1')!.id]
    for (const one of [id, twin]) await servers.update(one, (row) => ({ ...row, name: 'Db' }))
    await servers.remove([twin])
    expect(await named('h4', 'db')).not.toBe('db')
    const together = await Promise.all([named('h5', 'app'), named('h6', 'APP')])
    expect(together.filter((name) => name.toLowerCase() === 'app')).toHaveLength(1)
    await servers.remove(
      servers
        .all()
        .filter(({ uuid }) => uuid.startsWith('h'))
        .map(({ id }) => id),
    )
  })

  test('scale 7: 10,000 generated names differ without looking at all of them for each; a free pair comes before a number', () => {
    let asked = 0
    const before = process.cpuUsage()
    const names = createNames({ bytes: () => new Uint8Array([++asked * 7, asked * 13]) })
    const made = Array.from({ length: 10_000 }, () => {
      const name = names.generate()
      names.add(name)
      return name
    })
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(0.5)
    expect(new Set(made).size).toBe(10_000)
    expect(made.filter((name) => /^\w+-\w+$/.test(name))).toHaveLength(
      made.indexOf(made.find((name) => /-2$/.test(name))!),
    )
    names.remove(made[7]!)
    expect(names.generate()).toBe(made[7])
  })

  test('records that were not loaded are not served', () => {
    expect(() => serversEntity.serve({ kept: [] } as never, {} as never)).toThrow('a value is missing')
  })

  test('an edit within the same millisecond still has a later time', async () => {
    const servers = await serversEntity.load(parts())
    const { id, updated_at } = await servers.enrol({ uuid: 'c', ownerId: 0 })
    const times = await Promise.all([1, 2, 3].map(() => servers.update(id, (row) => row)))
    expect(times.map((row) => row!.updated_at)).toEqual([updated_at + 1, updated_at + 2, updated_at + 3])
  })

  test('groups keep their members, and ids are never used twice', async () => {
    const groups = await serverGroupsEntity.load(parts())
    const made = await groups.insert({ owner_id: 1, name: 'g', servers: [3, 1] })
    await groups.update(made.id, (row) => ({ ...row, servers: [1] }))
    const reopened = await serverGroupsEntity.load(parts())
    expect(reopened.find(made.id)).toMatchObject({ name: 'g', servers: [1] })
    await groups.remove([made.id, 999])
    const next = await groups.insert({ owner_id: 1, name: 'h', servers: [] })
    expect(next.id).toBeGreaterThan(made.id)
    expect(await entityTables(db).selectFrom('server_group_members').selectAll().execute()).toEqual([])
  })

  test('a change that fails leaves database and memory as they were', async () => {
    const groups = await serverGroupsEntity.load(parts())
    const { id } = await groups.insert({ owner_id: 1, name: 'whole', servers: [1, 2] })
    await expect(groups.update(id, (row) => ({ ...row, name: 'half', servers: [5, 5] }))).rejects.toThrow()
    expect(groups.find(id)).toMatchObject({ name: 'whole', servers: [1, 2] })
    expect((await serverGroupsEntity.load(parts())).find(id)).toMatchObject({ name: 'whole', servers: [1, 2] })
  })

  test('tasks: the outcome of a run is stored without a new edit time', async () => {
    const crons = await cronsEntity.load(parts())
    const fields = {
      name: 't',
      task_type: 0,
      scheduler: '@daily',
      command: 'id',
      cover: 0,
      servers: [1],
      push_successful: true,
    }
    const rest = {
      notification_group_id: 0,
      last_executed_at: null,
      last_result: false,
      last_run_id: 0,
      last_counts: {},
      schedule_set_at: 0,
      ...selectionInitial,
    }
    const { id, updated_at } = await crons.insert({ owner_id: 1, ...fields, ...rest })
    now += 5000
    const counts = { waiting: 0, sent: 0, running: 0, success: 116, failure: 1, no_answer: 0 }
    await crons.executed(id, { at: now, counts, runId: 9 })
    const reopened = await cronsEntity.load(parts())
    expect(reopened.find(id)).toMatchObject({
      ...fields,
      updated_at,
      last_executed_at: now,
      last_result: false,
      last_run_id: 9,
      last_counts: counts,
    })
  })

  test('notifiers keep their secrets and how the newest message went, groups their members', async () => {
    const notifications = await notificationsEntity.load(parts())
    const fields = {
      name: 'hook',
      url: 'https://push.example/',
      request_method: 2,
      request_type: 1,
      request_header: '{"X-Key":"a"}',
      request_body: '#NEZHA#',
      verify_tls: true,
      format_metric_units: false,
    }
    const { id, updated_at } = await notifications.insert({
      owner_id: 1,
      ...fields,
      last_sent_at: null,
      last_error: '',
    })
    now += 5000
    await notifications.sent(id, { at: now, error: '500@500' })
    await notifications.sent(999, { at: now, error: '' })
    const reopened = await notificationsEntity.load(parts())
    expect(reopened.all()).toEqual([
      expect.objectContaining({ ...fields, last_sent_at: now, last_error: '500@500', updated_at }),
    ])
    const groups = await notificationGroupsEntity.load(parts())
    const group = await groups.insert({ owner_id: 1, name: 'ops', notifications: [id] })
    await groups.update(group.id, (row) => ({ ...row, notifications: [id, 77] }))
    expect((await notificationGroupsEntity.load(parts())).find(group.id)).toMatchObject({ notifications: [id, 77] })
  })

  test('users and settings', async () => {
    const accounts = await createAccounts({ ...parts(), siteSecret: 'site' })
    const user = await accounts.create({ username: 'alice', password: 'a long password', role: 1 })
    expect([
      accounts.ownerOfSecret(user.agent_secret),
      accounts.ownerOfSecret('site'),
      accounts.ownerOfSecret('x'),
    ]).toEqual([user.id, 0, null])
    await expect(accounts.create({ username: 'alice', password: 'another one', role: 1 })).rejects.toThrow()
    const settings = await createSettings({ db, hostTimeZone: 'UTC' })
    await settings.put({ ...settings.get(), site_name: 'fleet', tls: true })
    expect((await createSettings({ db, hostTimeZone: 'UTC' })).get()).toMatchObject({
      site_name: 'fleet',
      tls: true,
      cover: 1,
    })
  })

  test('users are changed and deleted in memory, too, if nothing can be read after they were stored', async () => {
    let isAway = false
    const reads = new Proxy(db, {
      get(of, name) {
        if (isAway && name === 'selectFrom') throw new Error('away')
        const found: unknown = Reflect.get(of, name)
        return typeof found === 'function' ? found.bind(of) : found
      },
    })
    const accounts = await createAccounts({ ...parts(), db: reads, siteSecret: 'site' })
    const { id } = await accounts.create({ username: 'bob', password: 'a long password', role: 1 })
    isAway = true
    await accounts.rejectPassword(id, true)
    expect(accounts.find(id)).toMatchObject({ username: 'bob', reject_password: true })
    await accounts.remove([id])
    expect([accounts.find(id), accounts.all().map(({ username }) => username)]).toEqual([undefined, ['alice']])
  })

  test('sessions last over a restart, slide, and end', async () => {
    const accounts = await createAccounts({ ...parts(), siteSecret: 'site' })
    const user = accounts.byName('alice')!
    const settings = await createSettings({ db, hostTimeZone: 'UTC' })
    await settings.put({ ...settings.get(), session_days: 2 })
    const sessionMs = 2 * 24 * 3_600_000
    const open = () =>
      createSessions({
        ...parts(),
        sockets: createSockets(),
        retention: parts().clock,
        accounts,
        settings,
        secret: 's'.repeat(32),
      })
    const sessions = await open()
    const { token, session } = await sessions.begin(user, { address: '', client: '' })
    now += sessionMs / 2
    const fresh = await sessions.refresh(session)
    now += sessionMs - 1000
    const reopened = await open()
    expect(await reopened.identify(token, '')).toBeNull()
    // What ends while a use of it is being stored stays ended.
    await db.deleteFrom('sessions').execute()
    expect(await reopened.identify(fresh.token, '')).toMatchObject({ session, user: { username: 'alice' } })
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
    await accounts.change(user.id, { ...user, password: 'a new password' }, undefined, reopened.endingUsers([user.id]))
    expect(await reopened.identify(fresh.token, '')).toBeNull()
    // A sign-in whose password was checked before it changed.
    await expect(reopened.begin(user, { address: '', client: '' })).rejects.toMatchObject({ code: 'unauthorized' })
    now += 2000
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
  })
})
