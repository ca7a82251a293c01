import type { Logger } from 'pino'
import type { Records, StoredRow } from '../rows.ts'
import type { LoadedRecords } from './load.ts'
import type { MutableRecords } from './records.ts'

/** Fields of a row that list ids. */
type ListField<Row> = { [F in keyof Row]: Row[F] extends readonly number[] ? F : never }[keyof Row] & string

/** Takes the ids of deleted records out of the lists that name them, so that saving what is left is not refused. Ids are never used twice. */
function forgetDeleted<Row extends StoredRow>(
  source: Pick<Records<StoredRow>, 'onChange'>,
  { records, fields, log }: { records: MutableRecords<Row>; fields: readonly ListField<Row>[]; log: Logger },
): void {
  const gone = new Set<number>()

  async function forget() {
    const ids = new Set(gone)
    gone.clear()
    const left = (row: Row, field: ListField<Row>) => (row[field] as readonly number[]).filter((id) => !ids.has(id))
    const names = (row: Row) =>
      fields.some((field) => left(row, field).length < (row[field] as readonly number[]).length)
    for (const { id } of records.all().filter(names))
      await records.update(
        id,
        (row) => ({ ...row, ...Object.fromEntries(fields.map((field) => [field, left(row, field)])) }),
        { isCleaning: true },
      )
  }

  source.onChange(({ before, after }) => {
    if (!before || after) return
    // Many are deleted by one call, each with a change of its own.
    if (gone.size === 0) {
      setImmediate(() => {
        forget().catch((error: unknown) =>
          log.error({ err: error }, 'references to deleted records could not be removed'),
        )
      })
    }
    gone.add(before.id)
  })
}

/** Keeps every list of references clear of deleted servers, monitors and tasks. */
export function forgetDeletedReferences(records: LoadedRecords, log: Logger): void {
  const { servers, services, crons, alertRules, maintenanceWindows } = records
  forgetDeleted(servers, { records: crons, fields: ['servers'], log })
  forgetDeleted(servers, { records: services, fields: ['skip_servers'], log })
  forgetDeleted(servers, { records: maintenanceWindows, fields: ['servers'], log })
  forgetDeleted(services, { records: maintenanceWindows, fields: ['services'], log })
  forgetDeleted(crons, { records: services, fields: ['fail_trigger_tasks', 'recover_trigger_tasks'], log })
  forgetDeleted(crons, { records: alertRules, fields: ['fail_trigger_tasks', 'recover_trigger_tasks'], log })
}
