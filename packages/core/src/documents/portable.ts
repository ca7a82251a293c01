import { type Field, type FieldKind, optionName, type ResourceName } from '../define/index.ts'
import { isObject, type Problem } from '../errors.ts'
import { machineValue } from '../fields/index.ts'

/** How a kind’s value is written in a document: as in `--json`, or with names of records. */
type Form = 'same' | 'option' | 'one' | 'list' | 'keys' | 'rules'

const forms = {
  text: 'same',
  note: 'same',
  secret: 'same',
  command: 'same',
  schedule: 'same',
  address: 'same',
  version: 'same',
  number: 'same',
  duration: 'same',
  bytes: 'same',
  rate: 'same',
  percent: 'same',
  trend: 'same',
  flag: 'same',
  choice: 'option',
  ref: 'one',
  refs: 'list',
  list: 'same',
  'id-map': 'keys',
  instant: 'same',
  targets: 'same',
  rules: 'rules',
  days: 'same',
  reading: 'same',
  part: 'same',
} as const satisfies Record<FieldKind, Form>

const ofConditions: ResourceName = 'server'

type Key = string | number
/** Null leaves the reference out. */
type Rename = (to: ResourceName, key: Key) => Key | null

/** Replaces the references in a value. Keeps other shapes, which the schema refuses. */
export function renamed(field: Field, value: unknown, rename: Rename): unknown {
  switch (forms[field.kind]) {
    case 'same':
    case 'option':
      return value
    case 'one':
      return isKey(value) && value !== 0 && value !== '' ? rename(targetOf(field), value) : value
    case 'list':
      return Array.isArray(value) ? renamedItems(targetOf(field), value, rename) : value
    case 'keys':
      return isObject(value) ? renamedKeys(targetOf(field), value, rename) : value
    case 'rules':
      return Array.isArray(value) ? value.map((rule) => renamedRule(rule, rename)) : value
  }
}

function renamedItems(to: ResourceName, items: readonly unknown[], rename: Rename): unknown[] {
  return items.flatMap((item) => {
    if (!isKey(item)) return [item]
    const key = rename(to, item)
    return key === null ? [] : [key]
  })
}

function renamedKeys(to: ResourceName, value: Readonly<Record<string, unknown>>, rename: Rename) {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) => {
      const name = rename(to, key)
      return name === null ? [] : [[String(name), part] as const]
    }),
  )
}

function renamedRule(rule: unknown, rename: Rename): unknown {
  if (!isObject(rule) || !isObject(rule.ignore)) return rule
  return { ...rule, ignore: renamedKeys(ofConditions, rule.ignore, rename) }
}

export function namedIn(field: Field, value: unknown): readonly { to: ResourceName; key: Key }[] {
  const found: { to: ResourceName; key: Key }[] = []
  renamed(field, value, (to, key) => {
    found.push({ to, key })
    return key
  })
  return found
}

export function targetsOf(field: Field): readonly ResourceName[] {
  const form = forms[field.kind]
  if (form === 'rules') return [ofConditions]
  return form === 'one' || form === 'list' || form === 'keys' ? [targetOf(field)] : []
}

/** A stored value for a document. `nameOf` null leaves a reference out; `none` is written as null. */
export function written(
  field: Field,
  value: unknown,
  nameOf: (to: ResourceName, id: number) => string | null,
): unknown {
  const named = renamed(field, machineValue(field, value), (to, id) => nameOf(to, Number(id)))
  return forms[field.kind] === 'one' && named === 0 ? null : named
}

/** The reverse of `written`. Unknown names are left out; unreadable values stay, and the schema refuses them. */
export function read(field: Field, value: unknown, idOf: (to: ResourceName, name: Key) => number | null): unknown {
  if (field.kind === 'choice') return typeof value === 'string' ? (field.options[value] ?? value) : value
  const known = renamed(field, value, idOf)
  return forms[field.kind] === 'one' ? (known ?? 0) : known
}

/** Ignores the order of references, and empty parts of conditions. */
export function meansSame(field: Field, a: unknown, b: unknown): boolean {
  return textOf(comparable(field, a)) === textOf(comparable(field, b))
}

function comparable(field: Field, value: unknown): unknown {
  const plain = machineValue(field, value as never)
  if (forms[field.kind] === 'list' && Array.isArray(plain)) return [...plain].sort((a, b) => Number(a) - Number(b))
  if (forms[field.kind] === 'rules' && Array.isArray(plain)) return plain.map(withoutEmpty)
  return plain
}

function withoutEmpty(rule: unknown): unknown {
  if (!isObject(rule)) return rule
  return Object.fromEntries(
    Object.entries(rule).filter(([, part]) => part && !(isObject(part) && Object.keys(part).length === 0)),
  )
}

/** JSON with sorted keys, for comparing. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )
}

/** The problem of an unknown option, with the known ones. */
export function optionProblem(field: Field, name: string, value: unknown): Problem | null {
  if (field.kind !== 'choice' || optionName(field, value) !== null) return null
  return { field: name, code: 'notOption', params: { options: Object.keys(field.options) } }
}

const targetOf = (field: Field): ResourceName => (field as Extract<Field, { to: ResourceName }>).to
const isKey = (value: unknown): value is Key => typeof value === 'string' || typeof value === 'number'
