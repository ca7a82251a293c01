import { add } from './operators.ts'
import {
  asList,
  asNumber,
  asObject,
  asText,
  cannot,
  compare,
  isFilterFailure,
  isTrue,
  type JsonObject,
  textFrom,
  typeOf,
} from './values.ts'

/** An argument of a function: a filter to run on any value. */
type Argument = (value: unknown) => Iterable<unknown>
type JqFunction = (input: unknown, ...args: readonly Argument[]) => Iterable<unknown>

/** A function of the input alone. */
const of =
  (make: (input: unknown) => unknown): JqFunction =>
  (input) => [make(input)]

/** A function of the input and the values of one argument. */
const withValue =
  (make: (input: unknown, value: unknown) => unknown): JqFunction =>
  (input, arg) =>
    [...arg!(input)].map((value) => make(input, value))

/** A function of a list whose items are known by what a filter makes of them. */
const by =
  (name: string, make: (items: readonly { item: unknown; key: unknown }[]) => unknown): JqFunction =>
  (input, arg) => [make(asList(input, name).map((item) => ({ item, key: [...arg!(item)] })))]

/** The same function with the items themselves as keys. */
const byItself =
  (name: string, make: (items: readonly { item: unknown; key: unknown }[]) => unknown): JqFunction =>
  (input) => [make(asList(input, name).map((item) => ({ item, key: item })))]

type Keyed = readonly { item: unknown; key: unknown }[]

const sorted = (items: Keyed) => items.toSorted((a, b) => compare(a.key, b.key))
const sort = (items: Keyed) => sorted(items).map(({ item }) => item)
const unique = (items: Keyed) => groups(items).map(([first]) => first)
const least = (items: Keyed) => sort(items)[0] ?? null
const greatest = (items: Keyed) => sort(items).at(-1) ?? null

function groups(items: Keyed): unknown[][] {
  const made: { key: unknown; items: unknown[] }[] = []
  for (const { item, key } of sorted(items)) {
    const last = made.at(-1)
    if (last && compare(last.key, key) === 0) last.items.push(item)
    else made.push({ key, items: [item] })
  }
  return made.map((group) => group.items)
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return [...value].length
  if (typeof value === 'number') return Math.abs(value)
  if (typeof value === 'boolean') throw cannot('length', value)
  return value === null || value === undefined ? 0 : Object.keys(value).length
}

function keysOf(value: unknown): (string | number)[] {
  return Array.isArray(value) ? [...value.keys()] : Object.keys(asObject(value, 'keys')).sort()
}

function entriesOf(value: unknown): { key: string; value: unknown }[] {
  return Object.entries(asObject(value, 'to_entries')).map(([key, part]) => ({ key, value: part }))
}

function fromEntries(list: readonly unknown[]): JsonObject {
  return Object.fromEntries(
    list.map((entry) => {
      const { key, k, name, value, v } = asObject(entry, 'from_entries')
      return [textFrom(key ?? k ?? name ?? null), value ?? v ?? null]
    }),
  )
}

function contains(whole: unknown, part: unknown): boolean {
  if (typeof whole === 'string' && typeof part === 'string') return whole.includes(part)
  if (Array.isArray(whole) && Array.isArray(part))
    return part.every((one) => whole.some((other) => contains(other, one)))
  if (typeOf(whole) === 'object' && typeOf(part) === 'object')
    return Object.entries(part as JsonObject).every(
      ([key, value]) => key in (whole as JsonObject) && contains((whole as JsonObject)[key], value),
    )
  if (typeOf(whole) !== typeOf(part)) throw cannot('contains', part)
  return compare(whole, part) === 0
}

function has(value: unknown, key: unknown): boolean {
  if (Array.isArray(value)) return typeof key === 'number' && key >= 0 && key < value.length
  return Object.hasOwn(asObject(value, 'has'), asText(key, 'has'))
}

function toNumber(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) throw cannot('tonumber', value)
  return number
}

function flatten(value: unknown, depth: number): unknown[] {
  return asList(value, 'flatten').flatMap((item) =>
    Array.isArray(item) && depth > 0 ? flatten(item, depth - 1) : [item],
  )
}

function pattern(text: unknown, part: string, flags = ''): RegExp {
  try {
    return new RegExp(asText(text, part), `u${flags}`)
  } catch (thrown) {
    throw isFilterFailure(thrown) ? thrown : cannot(part, text)
  }
}

function jsonFrom(value: unknown): unknown {
  try {
    return JSON.parse(asText(value, 'fromjson')) as unknown
  } catch (thrown) {
    throw isFilterFailure(thrown) ? thrown : cannot('fromjson', value)
  }
}

function* recurse(value: unknown, step: Argument): Generator<unknown> {
  yield value
  for (const next of step(value)) yield* recurse(next, step)
}

function* limit(count: number, values: Iterable<unknown>): Generator<unknown> {
  let left = count
  if (left <= 0) return
  for (const value of values) {
    yield value
    left -= 1
    if (left <= 0) return
  }
}

/** The functions by name and number of arguments. Errors: the failure of a filter. */
export const functions: Readonly<Record<string, JqFunction>> = {
  'empty/0': () => [],
  'not/0': of((input) => !isTrue(input)),
  'length/0': of(lengthOf),
  'keys/0': of(keysOf),
  'values/0': (input) => (input === null ? [] : [input]),
  'nulls/0': (input) => (input === null ? [input] : []),
  'type/0': of(typeOf),
  'add/0': of((input) => Object.values(input as object).reduce(add, null)),
  'any/0': of((input) => asList(input, 'any').some(isTrue)),
  'all/0': of((input) => asList(input, 'all').every(isTrue)),
  'any/1': (input, f) => [asList(input, 'any').some((item) => [...f!(item)].some(isTrue))],
  'all/1': (input, f) => [asList(input, 'all').every((item) => [...f!(item)].every(isTrue))],
  'map/1': (input, f) => [asList(input, 'map').flatMap((item) => [...f!(item)])],
  'map_values/1': (input, f) => [
    fromEntries(
      entriesOf(input).flatMap(({ key, value }) => [...limit(1, f!(value))].map((made) => ({ key, value: made }))),
    ),
  ],
  'select/1': (input, f) => [...f!(input)].filter(isTrue).map(() => input),
  'recurse/0': (input) =>
    recurse(input, (value) => (typeof value === 'object' && value !== null ? Object.values(value) : [])),
  'recurse/1': (input, f) => recurse(input, f!),
  'sort/0': byItself('sort', sort),
  'sort_by/1': by('sort_by', sort),
  'group_by/1': by('group_by', groups),
  'unique/0': byItself('unique', unique),
  'unique_by/1': by('unique_by', unique),
  'min/0': byItself('min', least),
  'max/0': byItself('max', greatest),
  'min_by/1': by('min_by', least),
  'max_by/1': by('max_by', greatest),
  'reverse/0': of((input) =>
    typeof input === 'string' ? [...input].reverse().join('') : asList(input, 'reverse').toReversed(),
  ),
  'first/0': of((input) => asList(input, 'first')[0] ?? null),
  'last/0': of((input) => asList(input, 'last').at(-1) ?? null),
  'first/1': (input, f) => limit(1, f!(input)),
  'last/1': (input, f) => [...f!(input)].slice(-1),
  'limit/2': (input, count, f) => [...count!(input)].flatMap((n) => [...limit(asNumber(n, 'limit'), f!(input))]),
  'range/1': (input, to) =>
    [...to!(input)].flatMap((n) => [...Array(Math.max(0, Math.ceil(asNumber(n, 'range')))).keys()]),
  'flatten/0': of((input) => flatten(input, Number.POSITIVE_INFINITY)),
  'flatten/1': withValue((input, depth) => flatten(input, asNumber(depth, 'flatten'))),
  'to_entries/0': of(entriesOf),
  'from_entries/0': of((input) => fromEntries(asList(input, 'from_entries'))),
  'with_entries/1': (input, f) => [fromEntries(entriesOf(input).flatMap((entry) => [...f!(entry)]))],
  'has/1': withValue(has),
  'contains/1': withValue(contains),
  'inside/1': withValue((input, whole) => contains(whole, input)),
  'join/1': withValue((input, separator) =>
    asList(input, 'join')
      .map((item) => (item === null ? '' : textFrom(item)))
      .join(asText(separator, 'join')),
  ),
  'split/1': withValue((input, separator) => asText(input, 'split').split(asText(separator, 'split'))),
  'startswith/1': withValue((input, text) => asText(input, 'startswith').startsWith(asText(text, 'startswith'))),
  'endswith/1': withValue((input, text) => asText(input, 'endswith').endsWith(asText(text, 'endswith'))),
  'ltrimstr/1': withValue((input, text) =>
    typeof input === 'string' && input.startsWith(textFrom(text)) ? input.slice(textFrom(text).length) : input,
  ),
  'rtrimstr/1': withValue((input, text) =>
    typeof input === 'string' && input.endsWith(textFrom(text))
      ? input.slice(0, input.length - textFrom(text).length)
      : input,
  ),
  'test/1': withValue((input, text) => pattern(text, 'test').test(asText(input, 'test'))),
  'test/2': (input, text, flags) =>
    [...flags!(input)].flatMap((flag) =>
      [...text!(input)].map((one) => pattern(one, 'test', asText(flag, 'test')).test(asText(input, 'test'))),
    ),
  'sub/2': (input, text, by) =>
    [...text!(input)].flatMap((one) =>
      [...by!(input)].map((to) => asText(input, 'sub').replace(pattern(one, 'sub'), () => asText(to, 'sub'))),
    ),
  'gsub/2': (input, text, by) =>
    [...text!(input)].flatMap((one) =>
      [...by!(input)].map((to) => asText(input, 'gsub').replace(pattern(one, 'gsub', 'g'), () => asText(to, 'gsub'))),
    ),
  'ascii_downcase/0': of((input) =>
    asText(input, 'ascii_downcase').replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  'ascii_upcase/0': of((input) => asText(input, 'ascii_upcase').replace(/[a-z]/g, (letter) => letter.toUpperCase())),
  'tostring/0': of(textFrom),
  'tonumber/0': of(toNumber),
  'tojson/0': of((input) => JSON.stringify(input ?? null)),
  'fromjson/0': of(jsonFrom),
  'floor/0': of((input) => Math.floor(asNumber(input, 'floor'))),
  'ceil/0': of((input) => Math.ceil(asNumber(input, 'ceil'))),
  'round/0': of((input) => Math.round(asNumber(input, 'round'))),
  'fromdate/0': of((input) => Date.parse(asText(input, 'fromdate')) / 1000),
  'todate/0': of((input) => new Date(asNumber(input, 'todate') * 1000).toISOString().replace('.000Z', 'Z')),
  'error/1': (input, text) => {
    throw cannot([...text!(input)].map(textFrom).join(''), input)
  },
}
