import { formats } from './formats.ts'
import { functions } from './functions.ts'
import { type ValueOperator, valueOperators } from './operators.ts'
import { parseFilter } from './parse.ts'
import type { Filter } from './syntax.ts'
import { unreadable } from './syntax.ts'
import { asNumber, asText, cannot, isFilterFailure, isTrue, type JsonObject, textFrom, typeOf } from './values.ts'

/** Values bound by `as`, by name with its `$`. */
type Scope = ReadonlyMap<string, unknown>

/** A filter ready to run: every value it makes of one input. */
export type Compiled = (input: unknown) => unknown[]

/** Reads and checks a filter. Errors: `usage` for one that cannot be read; running it, `usage` where it does not fit the data. */
export function compileFilter(text: string): Compiled {
  const filter = parseFilter(text)
  check(filter, text)
  return (input) => [...run(filter, input, new Map())]
}

/** Unknown names are found before anything is asked of a server. */
function check(filter: Filter, text: string, names: readonly string[] = []): void {
  if (filter.kind === 'call' && !functions[`${filter.name}/${filter.args.length}`]) throw unreadable(filter.name, 0)
  if (filter.kind === 'variable' && !names.includes(filter.name)) throw unreadable(filter.name, 0)
  const format = filter.kind === 'format' ? filter.name : filter.kind === 'text' ? filter.format : null
  if (format !== null && !formats[format]) throw unreadable(format, 0)
  const inside = 'name' in filter && filter.kind !== 'call' ? [...names, filter.name] : names
  for (const part of partsOf(filter)) check(part, text, inside)
}

function partsOf(value: object): Filter[] {
  return Object.values(value).flatMap((part): Filter[] => {
    if (typeof part !== 'object' || part === null) return []
    return 'kind' in part ? [part as Filter] : partsOf(part)
  })
}

function* run(filter: Filter, input: unknown, scope: Scope): Generator<unknown> {
  switch (filter.kind) {
    case 'identity':
      return yield input
    case 'everything':
      return yield* everything(input)
    case 'literal':
      return yield filter.value
    case 'variable':
      return yield scope.get(filter.name)
    case 'format':
      return yield formats[filter.name]!(input)
    case 'text':
      return yield* texts(filter, 0, '', { input, scope })
    case 'at':
      for (const of of run(filter.of, input, scope))
        for (const key of run(filter.key, input, scope)) yield valueAt(of, key)
      return
    case 'slice':
      for (const of of run(filter.of, input, scope))
        for (const to of filter.to ? run(filter.to, input, scope) : [null])
          for (const from of filter.from ? run(filter.from, input, scope) : [null]) yield sliceOf(of, from, to)
      return
    case 'each':
      for (const of of run(filter.of, input, scope)) yield* valuesOf(of)
      return
    case 'list':
      return yield filter.of ? [...run(filter.of, input, scope)] : []
    case 'object':
      return yield* objects(filter.entries, {}, { input, scope })
    case 'negative':
      for (const value of run(filter.of, input, scope)) yield -asNumber(value, '-')
      return
    case 'pair':
      return yield* pair(filter, input, scope)
    case 'choice':
      return yield* choose(filter, 0, { input, scope })
    case 'attempt':
      return yield* attempt(filter, input, scope)
    case 'bind':
      for (const value of run(filter.source, input, scope))
        yield* run(filter.body, input, new Map([...scope, [filter.name, value]]))
      return
    case 'reduce': {
      let sum: unknown = [...run(filter.start, input, scope)].at(-1) ?? null
      for (const value of run(filter.source, input, scope))
        sum = [...run(filter.step, sum, new Map([...scope, [filter.name, value]]))].at(-1) ?? null
      return yield sum
    }
    case 'call': {
      const args = filter.args.map((arg) => (value: unknown) => run(arg, value, scope))
      return yield* functions[`${filter.name}/${filter.args.length}`]!(input, ...args)
    }
  }
}

/** Where a filter runs. */
interface Place {
  input: unknown
  scope: Scope
}

function* texts(
  filter: Extract<Filter, { kind: 'text' }>,
  index: number,
  before: string,
  place: Place,
): Generator<string> {
  const part = filter.parts[index]
  if (part === undefined) return yield before
  if (typeof part === 'string') return yield* texts(filter, index + 1, before + part, place)
  for (const value of run(part, place.input, place.scope))
    yield* texts(filter, index + 1, before + formats[filter.format ?? '@text']!(value), place)
}

function* objects(
  [entry, ...others]: readonly { key: Filter; value: Filter }[],
  before: JsonObject,
  place: Place,
): Generator<JsonObject> {
  if (!entry) return yield before
  for (const key of run(entry.key, place.input, place.scope))
    for (const value of run(entry.value, place.input, place.scope))
      yield* objects(others, { ...before, [asText(key, '{}')]: value ?? null }, place)
}

function* pair(filter: Extract<Filter, { kind: 'pair' }>, input: unknown, scope: Scope): Generator<unknown> {
  const { operator, left, right } = filter
  switch (operator) {
    case '|':
      for (const value of run(left, input, scope)) yield* run(right, value, scope)
      return
    case ',':
      yield* run(left, input, scope)
      return yield* run(right, input, scope)
    case '//': {
      const found = [...run({ kind: 'attempt', of: left, otherwise: null }, input, scope)].filter(isTrue)
      return found.length > 0 ? yield* found : yield* run(right, input, scope)
    }
    case 'and':
    case 'or':
      for (const first of run(left, input, scope)) {
        if (isTrue(first) === (operator === 'or')) yield operator === 'or'
        else for (const second of run(right, input, scope)) yield isTrue(second)
      }
      return
    default:
      for (const second of run(right, input, scope))
        for (const first of run(left, input, scope)) yield valueOperators[operator as ValueOperator](first, second)
  }
}

function* choose(filter: Extract<Filter, { kind: 'choice' }>, index: number, place: Place): Generator<unknown> {
  const { input, scope } = place
  const choice = filter.cases[index]
  if (!choice) return yield* run(filter.otherwise, input, scope)
  for (const value of run(choice.when, input, scope)) {
    if (isTrue(value)) yield* run(choice.take, input, scope)
    else yield* choose(filter, index + 1, place)
  }
}

function* attempt(filter: Extract<Filter, { kind: 'attempt' }>, input: unknown, scope: Scope): Generator<unknown> {
  try {
    yield* run(filter.of, input, scope)
  } catch (thrown) {
    if (!isFilterFailure(thrown)) throw thrown
    if (filter.otherwise) yield* run(filter.otherwise, String(thrown.params.part), scope)
  }
}

function* everything(value: unknown): Generator<unknown> {
  yield value
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* everything(part)
}

function valuesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) throw cannot('.[]', value)
  return Object.values(value)
}

function valueAt(value: unknown, key: unknown): unknown {
  if (typeOf(value) === 'null') return null
  if (typeOf(value) === 'object' && typeof key === 'string')
    return Object.hasOwn(value as object, key) ? (value as JsonObject)[key] : null
  if (Array.isArray(value) && typeof key === 'number') return value.at(Math.floor(key)) ?? null
  throw cannot(typeof key === 'string' ? `.${key}` : `.[${textFrom(key)}]`, value)
}

function sliceOf(value: unknown, from: unknown, to: unknown): unknown {
  if (typeOf(value) === 'null') return null
  const range = [from === null ? 0 : asNumber(from, '.[:]'), to === null ? undefined : asNumber(to, '.[:]')] as const
  if (typeof value === 'string') return [...value].slice(...range).join('')
  if (Array.isArray(value)) return value.slice(...range)
  throw cannot('.[:]', value)
}
