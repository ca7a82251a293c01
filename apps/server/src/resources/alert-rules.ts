import type { Db } from '../db/schema.ts'
import type { AlertRuleRow } from '../rows.ts'
import type { Clock } from '../services.ts'
import { byId, createRecords, type MutableRecords } from './records.ts'
import { tableOf } from './table.ts'

/** Loads all alert rules. */
export function createAlertRules(parts: { db: Db; clock: Clock }): Promise<MutableRecords<AlertRuleRow>> {
  const json = { rules: [], fail_trigger_tasks: [], recover_trigger_tasks: [] }
  const persist = tableOf<AlertRuleRow>('alert_rules', { flags: ['enable'], json })
  return createRecords<AlertRuleRow>({ ...parts, persist, compare: byId })
}
