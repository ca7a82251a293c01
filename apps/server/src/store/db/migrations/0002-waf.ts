import { type AnyDb, createTable, type Engine } from '../columns.ts'

export async function waf(db: AnyDb, engine: Engine): Promise<void> {
  await createTable(db, engine, 'waf')
    .text('ip')
    .integer('block_identifier')
    .integer('block_reason')
    .integer('block_timestamp')
    .integer('count')
    .builder()
    .addPrimaryKeyConstraint('waf_key', ['ip', 'block_identifier'])
    .execute()
}
