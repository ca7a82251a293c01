import * as z from 'zod'
import type { Field, FieldKind } from './fields.ts'
import { lazy, shapeFaults } from './schema.ts'

/** The wire’s "never" (contract http-api, vocabulary). */
export const zeroInstant = '0001-01-01T00:00:00Z'

const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => Number.isFinite(value)
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
const listOf =
  <Item>(isItem: (value: unknown) => value is Item) =>
  (value: unknown): readonly Item[] =>
    Array.isArray(value) && value.every(isItem) ? value : []
const readBy = (schema: z.ZodType) => (value: unknown) => schema.parse(value)

/** Missing and invalid values become the kind’s zero; a null number is unknown. Plain functions: a schema for each field of 60,000 rows takes a second. */
function readKinds(): Record<Exclude<FieldKind, 'part'>, (value: unknown) => unknown> {
  const text = (value: unknown) => (isText(value) ? value : '')
  const number = (value: unknown) => (value === null || isNumber(value) ? value : 0)
  return {
    text,
    note: text,
    secret: text,
    command: text,
    schedule: text,
    address: text,
    version: text,
    number,
    duration: number,
    bytes: number,
    rate: number,
    percent: number,
    trend: listOf(isNumber),
    flag: (value) => value === true,
    choice: (value) => (isText(value) || isNumber(value) ? value : 0),
    ref: (value) => (isInteger(value) && value >= 0 ? value : 0),
    refs: listOf(isInteger),
    list: listOf(isText),
    'id-map': readBy(z.record(z.string(), z.array(z.string())).catch({})),
    instant: (value) => (isText(value) && !value.startsWith('0001-01-01') ? value : null),
    targets: readBy(
      z
        .object({ mode: z.enum(['only', 'except', 'alert']), servers: z.array(z.int()) })
        .catch({ mode: 'only', servers: [] }),
    ),
    rules: readBy(
      z
        .array(condition().nullable().catch(null))
        .transform((rules) => rules.filter((rule) => rule !== null))
        .catch([]),
    ),
    days: listOf(isNumber),
    reading: readBy(reading()),
  }
}

/** The metric that an incident is about, with its value and limit. */
export const reading = lazy(() =>
  z
    .object({
      metric: z.string(),
      value: z.number().nullable().catch(null),
      limit: z.number().nullable().catch(null),
    })
    .nullable()
    .catch(null),
)

/** Keeps conditions of older versions: an invalid part counts as not set. */
function condition() {
  const number = z.number().optional().catch(undefined)
  const text = z.string().optional().catch(undefined)
  return z.looseObject({
    type: z.string().catch(''),
    cover: z.number().catch(0),
    min: number,
    max: number,
    duration: number,
    cycle_start: text,
    cycle_interval: number,
    cycle_unit: text,
    ignore: z.record(z.string(), z.boolean()).optional().catch(undefined),
  })
}

const kinds = lazy(readKinds)

/** The value of a field of this kind that nobody filled in. */
export const zeroOf = (kind: FieldKind): unknown => (kind === 'part' ? undefined : kinds()[kind](undefined))

/** A tolerant schema, which only refuses a record without a valid `id` or part. */
export function readSchema(fields: Readonly<Record<string, Field>>): z.ZodType<Record<string, unknown>> {
  const known = kinds()
  const names = Object.entries(fields)
  const parts = names.flatMap(([name, field]) => (field.kind === 'part' ? [[name, field.schema()]] : []))
  const checked = z.object({ ...Object.fromEntries(parts), ...('id' in fields ? { id: z.int().nonnegative() } : {}) })
  const readers = names.map(
    ([name, { kind }]) => [name, kind === 'part' || name === 'id' ? null : known[kind]] as const,
  )
  return z.unknown().transform((item, context) => {
    const { data, error } = checked.safeParse(item)
    if (error) {
      for (const { path, message } of error.issues) context.addIssue({ code: 'custom', path: [...path], message })
      return z.NEVER
    }
    const row: Record<string, unknown> = {}
    for (const [name, read] of readers)
      if (read) row[name] = read((item as typeof row)[name])
      else if (name in data) row[name] = data[name]
    return row
  })
}

export interface BadRow {
  index: number
  reason: string
}

/** Missing data is an empty list. Never throws. */
export function readRows<Row>(
  resource: { read: z.ZodType<Row>; wire: { decode(item: unknown): unknown } },
  data: unknown,
): { rows: Row[]; bad: BadRow[] } {
  const rows: Row[] = []
  const bad: BadRow[] = []
  for (const [index, item] of (Array.isArray(data) ? data : []).entries()) {
    const parsed = resource.read.safeParse(decoded(resource.wire, item))
    if (parsed.success) rows.push(parsed.data)
    else bad.push({ index, reason: shapeFaults(parsed.error) })
  }
  return { rows, bad }
}

/** Number of rows between pauses. */
const piece = 250

/** Calls `pause` between pieces, so that the program can draw. */
export async function readRowsInPieces<Row>(
  resource: Parameters<typeof readRows<Row>>[0],
  data: unknown,
  pause: (() => Promise<void>) | undefined,
): Promise<{ rows: Row[]; bad: BadRow[] }> {
  if (!pause || !Array.isArray(data) || data.length <= piece) return readRows(resource, data)
  const rows: Row[] = []
  const bad: BadRow[] = []
  for (let from = 0; from < data.length; from += piece) {
    await pause()
    const read = readRows(resource, data.slice(from, from + piece))
    rows.push(...read.rows)
    bad.push(...read.bad.map(({ index, reason }) => ({ index: from + index, reason })))
  }
  await pause()
  return { rows, bad }
}

function decoded(wire: { decode(item: unknown): unknown }, item: unknown): unknown {
  try {
    return wire.decode(item)
  } catch {
    return null
  }
}
