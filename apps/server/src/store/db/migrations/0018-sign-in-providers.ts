import { type AnyDb, createTable, type Engine } from '../columns.ts'

export async function signInProviders(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'sign_in_providers')
    .record()
    .text('name')
    .text('kind')
    .text('base_url')
    .text('client_id')
    .text('client_secret')
    .text('site_url')
    .integer('enabled')
    .create()
  await createTable(db, engine, 'oauth2_bindings')
    .integer('user_id')
    .integer('provider_id')
    .text('open_id')
    .integer('created_at')
    .builder()
    .addPrimaryKeyConstraint('oauth2_bindings_key', ['provider_id', 'open_id'])
    .execute()
}
