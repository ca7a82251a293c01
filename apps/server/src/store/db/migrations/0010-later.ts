import { parseSchedule } from '@qd/core/schemas'
import { addColumn, createTable, type Migrations } from '../columns.ts'

/** What was added since, oldest first; a new one comes last. */
export const laterMigrations: Migrations = {
  /** The start of a schedule's phase; so far the task's last change. */
  async '0010-schedule-phase'(db) {
    await addColumn(db, 'crons', 'schedule_set_at', 'bigint', 0)
    await db
      .updateTable('crons')
      .set((row) => ({ schedule_set_at: row.ref('updated_at') }))
      .execute()
  },

  /** Intervals below a second ran each second until now. */
  async '0011-shortest-interval'(db) {
    const tasks: { id: number; scheduler: string }[] = await db
      .selectFrom('crons')
      .select(['id', 'scheduler'])
      .where('scheduler', 'like', '%@every %')
      .execute()
    for (const { id, scheduler } of tasks) {
      const parsed = parseSchedule(scheduler)
      if (parsed.ok || parsed.problem.code !== 'durationShort') continue
      await db.updateTable('crons').set({ scheduler: '@every 1s' }).where('id', '=', id).execute()
    }
  },

  async '0012-host-facts'(db) {
    for (const column of ['host', 'geoip']) await addColumn(db, 'servers', column, 'text', '{}')
  },

  async '0013-firewall'(db, engine) {
    await addColumn(db, 'waf', 'note', 'text', '')
    await db.schema.alterTable('waf').addColumn('blocked_until', 'bigint').execute()
    await createTable(db, engine, 'waf_unblocked').primary('text', 'ip').create()
  },

  async '0014-incident-deeds'(db) {
    await addColumn(db, 'incidents', 'deeds', 'text', '[]')
  },

  async '0015-account'(db) {
    for (const name of ['former_secret', 'totp_secret']) await addColumn(db, 'users', name, 'text', '')
    await addColumn(db, 'users', 'totp_step', 'bigint', 0)
    await addColumn(db, 'users', 'recovery_codes', 'text', '[]')
  },

  async '0016-audit'(db) {
    await addColumn(db, 'audit', 'names', 'text', '')
    await addColumn(db, 'audit', 'changes', 'text', '[]')
  },

  /** Profile IDs in servers predate DDNS profiles and must not match new ones. */
  async '0017-ddns'(db, engine) {
    await createTable(db, engine, 'ddns')
      .record()
      .text('name', 'provider', 'domains')
      .integer('enable_ipv4', 'enable_ipv6', 'max_retries')
      .text('access_id', 'access_secret', 'webhook_url')
      .integer('webhook_method', 'webhook_request_type')
      .text('webhook_headers', 'webhook_request_body', 'results')
      .create()
    await db.updateTable('servers').set({ ddns_profiles: '[]', override_ddns_domains: '{}' }).execute()
  },

  async '0018-sign-in-providers'(db, engine) {
    await createTable(db, engine, 'sign_in_providers')
      .record()
      .text('name', 'kind', 'base_url', 'client_id', 'client_secret', 'site_url')
      .integer('enabled')
      .create()
    await createTable(db, engine, 'oauth2_bindings')
      .integer('user_id', 'provider_id')
      .text('open_id')
      .integer('created_at')
      .create('provider_id', 'open_id')
  },

  async '0019-nat'(db, engine) {
    await createTable(db, engine, 'nat')
      .record()
      .text('name')
      .integer('enabled', 'server_id')
      .text('host', 'domain')
      .optional('bigint', 'checked_at')
      .text('check_error')
      .create()
  },

  async '0020-following'(db) {
    for (const table of ['crons', 'services', 'alert_rules', 'maintenance_windows']) {
      await addColumn(db, table, 'chosen_by', 'text', '')
      await addColumn(db, table, 'follows', 'bigint', 0)
    }
  },

  async '0021-task-counts'(db) {
    await addColumn(db, 'crons', 'last_counts', 'text', '{}')
    const runs = await db
      .selectFrom('runs')
      .innerJoin('crons', 'crons.last_run_id', 'runs.id')
      .select(['crons.id', 'runs.counts'])
      .execute()
    for (const { id, counts } of runs)
      await db
        .updateTable('crons')
        .set({ last_counts: String(counts) })
        .where('id', '=', Number(id))
        .execute()
  },

  async '0022-agent-secrets'(db, engine) {
    await addColumn(db, 'users', 'waiting_servers', 'text', '')
    await addColumn(db, 'servers', 'secret_hash', 'text', '')
    await createTable(db, engine, 'enrollment_codes')
      .own()
      .integer('owner_id')
      .unique('code_hash')
      .text('uuid')
      .integer('uses_left', 'created_at', 'expires_at')
      .create()
  },

  async '0023-console-names'(db, engine) {
    await createTable(db, engine, 'console_names')
      .primary('text', 'name')
      .integer('user_id', 'by_admin', 'seen_at')
      .create()
  },

  async '0024-incident-names'(db) {
    await db.schema.alterTable('incidents').renameColumn('owes_notice', 'notice_pending').execute()
    await db.schema.alterTable('incidents').renameColumn('owes_tasks', 'tasks_pending').execute()
  },

  /** The program that a run starts on each server, where it isn’t the same command line for all. */
  async '0025-run-programs'(db) {
    await addColumn(db, 'run_items', 'program', 'text', '')
  },

  async '0026-enrollment-times'(db) {
    await db.schema.alterTable('servers').addColumn('enrolled_at', 'bigint').execute()
  },

  async '0027-target-names'(db) {
    for (const table of ['crons', 'services', 'alert_rules', 'maintenance_windows'])
      await db.schema.alterTable(table).renameColumn('chosen_by', 'server_query').execute()
    await db.schema.alterTable('incidents').renameColumn('deeds', 'responses').execute()
  },

  async '0028-outbox'(db, engine) {
    await createTable(db, engine, 'outbox')
      .primary('bigint', 'id')
      .text('notice')
      .integer('notification_id', 'group_id', 'owner_id', 'server_id')
      .text('incidents', 'cause', 'message')
      .integer('at', 'sending')
      .create()
    await createTable(db, engine, 'mutes').primary('text', 'key').integer('sent_at', 'wait_ms').create()
  },
}
