import { type AnyDb, createTable, type Engine } from '../columns.ts'

/** Profile IDs in servers predate DDNS profiles and must not match new ones. */
export async function ddns(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'ddns')
    .record()
    .text('name')
    .text('provider')
    .text('domains')
    .integer('enable_ipv4')
    .integer('enable_ipv6')
    .integer('max_retries')
    .text('access_id')
    .text('access_secret')
    .text('webhook_url')
    .integer('webhook_method')
    .integer('webhook_request_type')
    .text('webhook_headers')
    .text('webhook_request_body')
    .text('results')
    .create()
  await db.updateTable('servers').set({ ddns_profiles: '[]', override_ddns_domains: '{}' }).execute()
}
