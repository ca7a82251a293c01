import type { InputOf } from '@qd/core/define'
import { setting } from '@qd/core/resources'
import { isTimeZone } from '@qd/core/schemas'
import { jsonOf } from '../../kernel/json.ts'
import { createListeners } from '../../kernel/listeners.ts'
import type { Db } from '../db/schema.ts'
import type { Also } from './commit.ts'

export interface Settings {
  get(): SettingValues
  version(): number
  /** IANA time zone of schedules and days: the setting, or the host's. */
  timeZone(): string
  onChange(listen: () => void): () => void
}

type Input = InputOf<typeof setting>

/** Core says what each is for. */
export type SettingValues = Readonly<Record<string, unknown>> & {
  readonly [Name in keyof Input]: Input[Name] extends readonly (infer Item)[] ? readonly Item[] : Input[Name]
}

export interface MutableSettings extends Settings {
  put(values: Readonly<Record<string, unknown>>, also?: Also<SettingValues>): Promise<void>
}

/** Row with the values to revert to, while a trial lasts (access/settings-trial.ts). */
export const trialKey = 'trial'

const first = { site_name: 'Quarterdeck' }

/** Missing or damaged values become defaults. */
export async function createSettings(parts: { db: Db; hostTimeZone: string }): Promise<MutableSettings> {
  const { db, hostTimeZone } = parts
  const listeners = createListeners<[]>()
  let version = 1
  await undoTrial(db)
  let values = read(await db.selectFrom('settings').selectAll().execute())
  // An unknown stored zone must not stop the scheduler.
  const zone = () => (isTimeZone(values.time_zone) ? values.time_zone : hostTimeZone)
  let timeZone = zone()
  return {
    get: () => values,
    version: () => version,
    timeZone: () => timeZone,
    onChange: listeners.add,
    async put(next, also) {
      const rows = Object.entries(next).map(([key, value]) => ({ key, value: JSON.stringify(value) }))
      await db.transaction().execute(async (handle) => {
        await handle.deleteFrom('settings').where('key', '!=', trialKey).execute()
        await handle.insertInto('settings').values(rows).execute()
        await also?.(handle, [next as SettingValues])
      })
      values = next as SettingValues
      timeZone = zone()
      version += 1
      listeners.notify()
    },
  }
}

function read(rows: readonly { key: string; value: string }[]): SettingValues {
  const defaults: Record<string, unknown> = { ...setting.initial, ...first }
  for (const { key, value } of rows) {
    const parsed = jsonOf(value)
    if (parsed !== undefined && typeof parsed === typeof defaults[key]) defaults[key] = parsed
  }
  return defaults as SettingValues
}

/** Reverts a trial that was open when the server stopped. */
async function undoTrial(db: Db): Promise<void> {
  const row = await db.selectFrom('settings').select('value').where('key', '=', trialKey).executeTakeFirst()
  if (!row) return
  await db.transaction().execute(async (handle) => {
    for (const [key, value] of Object.entries(JSON.parse(row.value) as Record<string, unknown>))
      await handle
        .updateTable('settings')
        .set({ value: JSON.stringify(value) })
        .where('key', '=', key)
        .execute()
    await handle.deleteFrom('settings').where('key', '=', trialKey).execute()
  })
}
