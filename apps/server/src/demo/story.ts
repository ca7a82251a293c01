import { ItemState, ServiceStatus } from '@qd/core/resources'
import { nextRuns, parseSchedule } from '@qd/core/schemas'
import type { Insertable } from 'kysely'
import type { Db, EventsTable, IncidentsTable, RunItemsTable } from '../store/db/schema.ts'
import { entityTables } from '../store/records/table.ts'
import { answerCommand } from './answers.ts'
import { diskLimit, full, geoOf, type Machine, overLimitFor } from './machines.ts'
import { noiseOf } from './noise.ts'
import type { Ids, SimulatedTask } from './records.ts'
import { certificateOf, checkEverySeconds, reportersOf, services } from './services.ts'

export interface Story {
  readonly db: Db
  readonly machines: readonly Machine[]
  readonly ids: Ids
  readonly start: number
  readonly timeZone: string
  readonly ownerId: number
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const month = 30 * day
const slice = 200

type Event = Insertable<EventsTable>

export async function writeStory(story: Story): Promise<void> {
  const events: Event[] = []
  await writeServers(story, events)
  await writeRuns(story, events)
  await writeIncidents(story, events)
  await writeStates(story)
  await writeAudit(story)
  await story.db.deleteFrom('events').execute()
  events.sort((a, b) => a.at - b.at)
  await inSlices(events, (rows) => story.db.insertInto('events').values(rows).execute())
}

async function inSlices<Row>(rows: readonly Row[], write: (rows: Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += slice) await write(rows.slice(from, from + slice))
}

const notes: Readonly<Record<string, string>> = {
  'db-fra-1': 'Primary of the shop database. Fail over before you restart it.',
  'backup-nyc-1': 'Larger disks are ordered.',
  'edge-gru-1': 'Provider ticket 48213: power in rack B2.',
  'lab-fra-2': 'Waits for a new power supply.',
}

const ddnsOf: Readonly<Record<string, readonly number[]>> = { 'edge-fra-1': [1], 'mail-fra-1': [2] }

async function writeServers({ db, machines, start }: Story, events: Event[]): Promise<void> {
  const tables = entityTables(db)
  const at = start - month - 20 * day
  for (const { name, columns } of await db.introspection.getTables()) {
    const has = (column: string) => columns.some((one) => one.name === column)
    if (has('created_at') && has('updated_at'))
      await tables.updateTable(name).set({ created_at: at, updated_at: at }).execute()
    if (has('last_used_ip'))
      await tables
        .updateTable(name)
        .set({ last_used_at: start - 4 * minute, last_used_ip: '192.0.2.46' })
        .execute()
  }
  await tables
    .updateTable('crons')
    .set({ schedule_set_at: start - month })
    .execute()
  await tables
    .updateTable('nat')
    .set({ checked_at: start - 26 * minute, check_error: '' })
    .execute()
  await db.deleteFrom('event_facts').execute()
  for (const machine of machines) {
    const { id, name, host, offlineSince } = machine
    const created = start - month - Math.floor(noiseOf(id, 8) * 300) * day
    const isEdge = machine.kind === 'edge'
    await tables
      .updateTable('servers')
      .set({
        ...{ name, note: notes[name] ?? '', hide_for_guest: Number(machine.kind === 'lab') },
        ...{ enable_ddns: Number(name in ddnsOf), ddns_profiles: JSON.stringify(ddnsOf[name] ?? []) },
        ...{ created_at: created, updated_at: created, last_seen_at: offlineSince ?? start },
        ...{ host: JSON.stringify(host), geoip: JSON.stringify(geoOf(machine)) },
      })
      .where('id', '=', id)
      .execute()
    const facts = { boot_time: host.boot_time, version: host.version, address: machine.address }
    await db
      .insertInto('event_facts')
      .values({ server_id: id, online: Number(offlineSince === null), ...facts })
      .execute()
    const note = (at: number, kind: string, params: object = {}) =>
      events.push({ server_id: id, at, kind, params: JSON.stringify(params) })
    note(created, 'enrolled')
    const booted = host.boot_time * 1000
    if (booted > start - month) {
      note(booted - 2 * minute, 'offline')
      note(booted + 40_000, 'restarted', { boot_time: host.boot_time })
      note(booted + 40_000, 'online')
    }
    if (host.version === '2.3.3' && id % 3 === 0)
      note(start - 13 * day + id * minute, 'agent-version', { before: '2.2.9', after: '2.3.3' })
    if (offlineSince !== null) note(offlineSince, 'offline')
    const sample = machine.sampleAt(start)
    const counters = { in_bytes: sample.net_in_transfer, out_bytes: sample.net_out_transfer }
    await db
      .insertInto('traffic_snapshots')
      .values({ server_id: id, boot_time: host.boot_time, ...counters })
      .execute()
    if (isEdge) await writeTraffic(db, machine, start)
  }
}

async function writeTraffic(db: Db, { id, sampleAt, offlineSince }: Machine, start: number): Promise<void> {
  const first = Math.floor((start - month) / hour) * hour
  const rows = Array.from({ length: month / hour }, (_, index) => first + index * hour)
    .filter((at) => offlineSince === null || at < offlineSince)
    .map((at) => {
      const { net_in_speed, net_out_speed } = sampleAt(at + hour / 2)
      return { server_id: id, at, in_bytes: net_in_speed * 3600, out_bytes: net_out_speed * 3600 }
    })
  await inSlices(rows, (part) => db.insertInto('traffic').values(part).execute())
}

/** Failed parts of runs. */
const failures: readonly { task: string; ago: number; server: string; code: number; output: string }[] = [
  {
    task: 'nightly dump',
    ago: 11,
    server: 'db-nyc-2',
    code: 2,
    output: 'pg_dumpall: dumping database "shop"\nzstd: /srv/dump: No space left on device',
  },
  { task: 'check backups', ago: 6, server: 'backup-nyc-1', code: 1, output: 'error: pack 4f1c9a27: wrong checksum' },
  {
    task: 'renew certificates',
    ago: 2,
    server: 'mail-fra-2',
    code: 1,
    output: 'certbot: too many requests, retry in 1 h',
  },
]

interface Past {
  readonly at: number
  readonly kind: 'cron' | 'exec'
  readonly task: SimulatedTask | null
  readonly name: string
  readonly command: string
  readonly by: string
  readonly on: readonly Machine[]
}

async function writeRuns({ db, machines, ids, start, timeZone, ownerId }: Story, events: Event[]): Promise<void> {
  const of = (kinds: readonly string[]) => machines.filter(({ kind }) => kinds.includes(kind))
  const scheduled = ids.tasks.flatMap((task): Past[] => {
    const parsed = parseSchedule(task.scheduler)
    if (!parsed.ok) return []
    return nextRuns(parsed.schedule, { from: start - month, count: 40, timeZone })
      .filter((at) => at < start)
      .map((at) => ({ ...task, at, kind: 'cron', task, by: 'schedule', on: of(task.kinds) }))
  })
  const byHand = (ago: number, by: string, command: string, kinds: readonly string[]): Past => ({
    ...{ at: start - ago, kind: 'exec', task: null, name: command, command, by, on: of(kinds) },
  })
  const past = [
    ...scheduled,
    byHand(9.2 * day, 'kim', 'systemctl is-active nginx', ['web']),
    byHand(5.1 * day, 'sam', 'df -h', ['backup', 'logs']),
    byHand(26 * hour, 'admin', 'uptime', ['db']),
    byHand(118 * minute, 'kim', 'chronyc makestep', ['edge']),
    byHand(41 * minute, 'admin', 'df -h', ['backup']),
  ].sort((a, b) => a.at - b.at)

  for (const { at, kind, task, name, command, by, on } of past) {
    const items = on.map((machine) => itemOf(machine, { at, task, command, start }))
    const counts = { waiting: 0, sent: 0, running: 0, success: 0, failure: 0, no_answer: 0 }
    for (const { state } of items) counts[state as keyof typeof counts] += 1
    const failed = counts.failure + counts.no_answer
    const state = failed === 0 ? 'success' : counts.success === 0 ? 'failure' : 'partial'
    const ended = Math.max(...items.map(({ finished_at }) => finished_at ?? at))
    const { id } = await db
      .insertInto('runs')
      .values({
        ...{ owner_id: ownerId, created_at: at, updated_at: ended, finished_at: ended, kind, name, command, state },
        ...{ cron_id: task?.id ?? 0, started_by: by, rollout: null, deadline_ms: null, counts: JSON.stringify(counts) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await inSlices(items, (rows) =>
      db
        .insertInto('run_items')
        .values(rows.map((row) => ({ ...row, run_id: id })))
        .execute(),
    )
    if (at > start - 7 * day)
      for (const { server_id, state: itemState, finished_at } of items)
        events.push({
          ...{ server_id, at: finished_at ?? at, kind: 'run' },
          params: JSON.stringify({ name, state: itemState, run_id: id }),
        })
    if (task)
      await entityTables(db)
        .updateTable('crons')
        .set({
          ...{ last_executed_at: at, last_result: Number(failed === 0), last_run_id: id },
          last_counts: JSON.stringify(counts),
        })
        .where('id', '=', task.id)
        .execute()
  }
}

function itemOf(
  machine: Machine,
  { at, task, command, start }: { at: number; task: SimulatedTask | null; command: string; start: number },
): Omit<Insertable<RunItemsTable>, 'run_id'> {
  const { id, name, offlineSince } = machine
  const common = { server_id: id, server_name: name, cut_bytes: 0, version_before: '' }
  if (offlineSince !== null && at > offlineSince)
    return {
      ...{ ...common, state: ItemState.noAnswer, exit_code: null, started_at: null, finished_at: at },
      ...{ duration_ms: null, output: '', lines: 0, reason: 'offline' },
    }
  const failure = failures.find(
    (one) => one.task === task?.name && one.server === name && Math.floor((start - at) / day) === one.ago,
  )
  const output = failure?.output ?? answerCommand(machine, command, at).output
  const took = Math.round(
    (failure ? 4 : 1 + noiseOf(id, at % 1000) * (task?.name === 'nightly dump' ? 2400 : 9)) * 1000,
  )
  return {
    ...{ ...common, state: failure ? ItemState.failure : ItemState.success, exit_code: failure?.code ?? 0 },
    ...{ started_at: at + 200, finished_at: at + 200 + took, duration_ms: took, reason: null },
    ...{ output, lines: output === '' ? 0 : output.split('\n').length },
  }
}

/** Rule, server, ms ago, minutes, value. */
const overRules = [
  ['memory', 'cache-fra-2', 26.3 * day, 34, 97.1],
  ['cpu', 'ci-fra-1', 22.9 * day, 18, 98.4],
  ['offline', 'web-sin-3', 19.2 * day, 7, null],
  ['cpu', 'ci-fra-3', 15.8 * day, 25, 98.9],
  ['offline', 'edge-syd-1', 9.4 * day, 12, null],
  ['memory', 'cache-nyc-1', 6.6 * day, 51, 96.8],
  ['cpu', 'db-fra-1', 3.2 * day, 16, 98.1],
  ['offline', 'worker-nyc-2', 1.7 * day, 9, null],
] as const
const limits = { memory: 96, cpu: 97, offline: null } as const

async function writeIncidents({ db, machines, ids, start, ownerId }: Story, events: Event[]): Promise<void> {
  const named = (name: string) => machines.find((one) => one.name === name)!
  const told = (at: number) =>
    JSON.stringify(
      ids.notifiers.map(({ id, name }) => ({ notification_id: id, name, at: at + 900, ok: true, error: '' })),
    )
  const incident = (
    at: number,
    end: number | null,
    values: Pick<Insertable<IncidentsTable>, 'source' | 'name' | 'server_id'> & Partial<Insertable<IncidentsTable>>,
  ): Insertable<IncidentsTable> => ({
    ...{ owner_id: ownerId, created_at: at, updated_at: end ?? at, closed_at: end, state: end ? 'closed' : 'open' },
    ...{ rule_id: 0, service_id: 0, reading: 'null', error: '', acked_by: '', acked_at: null, silenced_until: null },
    ...{ quiet: 0, told: told(at), runs: '[]', responses: '[]', notice_pending: 0, tasks_pending: 0 },
    ...values,
  })
  const ruleNames = { offline: 'offline', disk: 'disk nearly full', cpu: 'CPU busy', memory: 'memory short' }
  const acked = (at: number, by: string, text: string) => ({
    ...{ acked_by: by, acked_at: at },
    responses: JSON.stringify([
      { at, kind: 'acknowledged', by, text: '', until: null, run: 0 },
      { at: at + 3 * minute, kind: 'note', by, text, until: null, run: 0 },
    ]),
  })
  const over = overRules.map(([rule, server, ago, minutes, value], index) =>
    incident(start - ago, start - ago + minutes * minute, {
      ...{ source: 'alert-rule', name: ruleNames[rule], rule_id: ids.rules[rule], server_id: named(server).id },
      reading: JSON.stringify({ metric: rule, value, limit: limits[rule] }),
      ...(index % 3 === 0 && acked(start - ago + 4 * minute, 'kim', 'Restarted the service, watching it.')),
    }),
  )
  const outages = services.flatMap((service, index) =>
    (service.outages ?? []).map(({ ago, hours }) =>
      incident(start - ago * hour + 4 * minute, start - (ago - hours) * hour + 9 * minute, {
        ...{ source: 'service', name: service.name, service_id: index + 1, error: 'connection timed out' },
        server_id: reportersOf(service, machines)[0]!.id,
        ...(hours > 2 && acked(start - ago * hour + 11 * minute, 'sam', 'The payment provider is working on it.')),
      }),
    ),
  )
  const gone = machines.find(({ name }) => name === 'edge-gru-1')!
  const open = [
    incident(start - overLimitFor + 5 * minute, null, {
      ...{ source: 'alert-rule', name: ruleNames.disk, rule_id: ids.rules.disk, server_id: named(full).id },
      reading: JSON.stringify({ metric: 'disk', value: diskLimit + 0.1, limit: diskLimit }),
    }),
    incident(gone.offlineSince! + 90_000, null, {
      ...{ source: 'alert-rule', name: ruleNames.offline, rule_id: ids.rules.offline, server_id: gone.id },
      reading: JSON.stringify({ metric: 'offline', value: null, limit: null }),
    }),
  ]
  const all = [...over, ...outages, ...open].sort((a, b) => a.created_at - b.created_at)
  for (const row of all) {
    const { id } = await db.insertInto('incidents').values(row).returning('id').executeTakeFirstOrThrow()
    if (row.source !== 'alert-rule') continue
    const params = JSON.stringify({ incident: id, name: row.name })
    events.push({ server_id: row.server_id, at: row.created_at, kind: 'incident-opened', params })
    if (row.closed_at) events.push({ server_id: row.server_id, at: row.closed_at, kind: 'incident-closed', params })
  }
  const sent = { last_sent_at: gone.offlineSince! + 91_000, last_error: '' }
  await entityTables(db).updateTable('notifications').set(sent).execute()
}

async function writeStates({ db, machines, start }: Story): Promise<void> {
  for (const [index, service] of services.entries()) {
    const reporters = reportersOf(service, machines)
    const up = reporters.length
    const rounds = Array.from({ length: 30 }, (_, back) => ({
      at: start - (30 - back) * checkEverySeconds * 1000,
      up,
      down: 0,
    }))
    const last = service.outages?.at(-1)
    const certificate = certificateOf(service, start)
    await db
      .insertInto('service_states')
      .values({
        ...{ service_id: index + 1, status: ServiceStatus.good, last_result_at: start },
        since: last ? start - (last.ago - last.hours) * hour : start - month,
        rounds: JSON.stringify(rounds),
        certificates: JSON.stringify(certificate ? [certificate] : []),
      })
      .execute()
  }
}

/** Minutes into the day, user, action, target, name. */
const audited = [
  [0, 'kim', 'sign-in', 'kim', ''],
  [14, 'kim', 'cron run', '1', 'nightly dump'],
  [31, 'sam', 'sign-in', 'sam', ''],
  [52, 'sam', 'server edit', '9', 'backup-nyc-1'],
  [95, 'admin', 'sign-in', 'admin', ''],
  [118, 'admin', 'alert-rule edit', '2', 'disk nearly full'],
  [203, 'kim', 'terminal open', '17', 'db-fra-1'],
  [240, 'sam', 'service edit', '4', 'checkout'],
] as const

async function writeAudit({ db, start }: Story): Promise<void> {
  const users = { admin: 1, kim: 2, sam: 3 }
  const rows = Array.from({ length: 30 }, (_, index) => 30 - index).flatMap((ago) =>
    audited
      .filter((_, place) => place === 0 || noiseOf(ago, place) < 0.45)
      .map(([after, username, action, target, names], place) => ({
        ...{
          at: Math.round(start - ago * day + (after + noiseOf(ago, place) * 20) * minute),
          username,
          action,
          target,
          names,
        },
        ...{ user_id: users[username], result: noiseOf(ago, place + 40) < 0.04 ? 'refused' : 'ok', changes: '[]' },
        address: { admin: '192.0.2.200', kim: '192.0.2.201', sam: '198.51.100.200' }[username],
      })),
  )
  await db.deleteFrom('audit').execute()
  await inSlices(rows, (part) => db.insertInto('audit').values(part).execute())
  await db.deleteFrom('sessions').execute()
}
