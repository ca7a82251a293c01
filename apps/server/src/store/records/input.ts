import type { Action, Field, InputOf, Resource, Values } from '@qd/core/define'
import { fieldOf } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { checkInput, checkRecord } from '@qd/core/fields'
import { texts } from '../../kernel/texts.ts'
import { zeroOf } from './table.ts'

export interface InputRules {
  /** What the API accepts beyond the form. */
  accepts?: Resource['input']
  /** Values of missing fields that aren't their kind's zero. */
  defaults?: Readonly<Record<string, unknown>>
  /** The contract's texts by `field.code`. */
  texts?: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => string>>
}

/** Reads a request body: keys without case, unknown ones dropped, missing and null ones filled with zeros. Errors: `invalid`. */
export function readInput<R extends Resource>(
  resource: R,
  body: unknown,
  {
    accepts = resource.input,
    defaults = {},
    keep = [],
    replaced = [],
    texts: own = {},
    before,
  }: InputRules & {
    before?: Readonly<Record<string, unknown>>
    /** Fields that keep their value if the body lacks them, besides those of capabilities. */
    keep?: readonly string[]
    /** Capability fields that are emptied nonetheless. */
    replaced?: readonly string[]
  },
): InputOf<R> {
  const decoded = resource.wire.decodeInput(body ?? {})
  if (typeof decoded !== 'object' || decoded === null || Array.isArray(decoded)) {
    throw new AppError('invalid', { text: texts.bodyObject })
  }
  const given = new Map(Object.entries(decoded).map(([key, value]) => [key.toLowerCase(), value as unknown]))
  const filled = Object.fromEntries(
    Object.keys(resource.input.shape).map((name) => {
      const value = given.get(name.toLowerCase())
      const field = fieldOf(resource, name)
      if (field.kind === 'secret') return [name, secretOf(value, before?.[name])]
      if (value !== undefined && value !== null) return [name, value]
      // A client that doesn't know a capability's field leaves it unchanged.
      const isKept = keep.includes(name) || (field.requires !== undefined && !replaced.includes(name))
      if (isKept && before && name in before) return [name, before[name]]
      return [name, defaults[name] ?? zeroOf(field)]
    }),
  )
  const missing = Object.keys(filled).filter((name) => isNeeded(fieldOf(resource, name)) && filled[name] === '')
  if (missing.length > 0) {
    const problems = missing.map((field) => ({ field, code: 'required' }) as const)
    throw invalid(problems, own, filled)
  }
  const checked = checkRecord({ input: accepts, validate: resource.validate }, filled, before ?? null)
  if (checked.ok) return checked.input as InputOf<R>
  throw invalid(checked.problems, own, filled)
}

const isNeeded = (field: Field) => field.kind === 'secret' && field.needed === true

/** Missing or empty keeps the stored value, null clears it (decisions.md, "Secrets on update"). */
function secretOf(value: unknown, before: unknown): unknown {
  if (value === null) return ''
  return value === undefined || value === '' ? (before ?? '') : value
}

/** Reads an action's arguments over the form's initial values. Errors: `invalid`. */
export function readArgs({ args }: Action, body: unknown): Values {
  if (!args) return {}
  const given = body ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) throw new AppError('invalid', { text: texts.bodyObject })
  const checked = checkInput(args.input, { ...args.initial, ...given })
  if (checked.ok) return checked.input
  throw new AppError('invalid', {}, { problems: checked.problems })
}

export function invalid(
  problems: readonly Problem[],
  own: NonNullable<InputRules['texts']>,
  input: Readonly<Record<string, unknown>>,
): AppError {
  const known = problems.map(({ field, code }) => own[`${field}.${code}`]).find(Boolean)
  return new AppError('invalid', known ? { text: known(input) } : {}, { problems })
}

/** Reads a body that is an object; none is an empty one. Errors: `invalid`. */
export function readObject(body: unknown): Readonly<Record<string, unknown>> {
  const value = body ?? {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  throw new AppError('invalid', { text: texts.bodyObject })
}

/** IDs per call (S-48). */
const maxBatch = 10_000

/** Reads a bare list of IDs (contract http-api 3). Errors: `invalid`. */
export function readIds(body: unknown): number[] {
  const ids = body ?? []
  if (!Array.isArray(ids) || !ids.every((id) => Number.isSafeInteger(id) && id >= 0)) {
    throw new AppError('invalid', { text: texts.bodyIds })
  }
  if (ids.length > maxBatch) throw new AppError('invalid', { text: `at most ${maxBatch} IDs at once` })
  return ids
}
