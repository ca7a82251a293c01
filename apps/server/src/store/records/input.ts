import type { Action, Field, InputOf, Resource, Values } from '@qd/core/define'
import { fieldOf } from '@qd/core/define'
import { AppError, type Problem } from '@qd/core/errors'
import { checkInput, checkRecord } from '@qd/core/fields'
import { texts } from '../../kernel/texts.ts'
import { zeroOf } from './table.ts'

/** What an author of a store adds to the reading of its bodies. */
export interface InputRules {
  /** What the server takes where that is more than the form does. */
  accepts?: Resource['input']
  /** What fields are that the body leaves out, where that is not their kind's zero. */
  defaults?: Readonly<Record<string, unknown>>
  /** The contract's own text for a problem, by `field.code`. */
  texts?: Readonly<Record<string, (input: Readonly<Record<string, unknown>>) => string>>
}

/**
 * A request body as valid input: keys matched without case, unknown ones left out, absent and null ones filled with zeros.
 * Errors: `invalid` with problems that name their fields.
 */
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
    /** Fields that keep their stored value when the body leaves them out, besides those that came with a capability. */
    keep?: readonly string[]
    /** Those of them that a body without them empties all the same. */
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
      // A client that doesn't know a field that came with a capability changes nothing of it.
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
  const checked = checkRecord({ input: accepts, check: resource.check }, filled, before ?? null)
  if (checked.ok) return checked.input as InputOf<R>
  throw invalid(checked.problems, own, filled)
}

const isNeeded = (field: Field) => field.kind === 'secret' && field.needed === true

/** Absent or empty keeps what is stored, null clears it (decisions.md, "Secrets on update"). */
function secretOf(value: unknown, before: unknown): unknown {
  if (value === null) return ''
  return value === undefined || value === '' ? (before ?? '') : value
}

/** The body of an action's call as valid values of its form; what is left out is as the form begins. Errors: `invalid`. */
export function readArgs({ args }: Action, body: unknown): Values {
  if (!args) return {}
  const given = body ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) throw new AppError('invalid', { text: texts.bodyObject })
  const checked = checkInput(args.input, { ...args.initial, ...given })
  if (checked.ok) return checked.input
  throw new AppError('invalid', {}, { problems: checked.problems })
}

/** An `invalid` error with its problems and, where the contract has one, its text. */
export function invalid(
  problems: readonly Problem[],
  own: NonNullable<InputRules['texts']>,
  input: Readonly<Record<string, unknown>>,
): AppError {
  const known = problems.map(({ field, code }) => own[`${field}.${code}`]).find(Boolean)
  return new AppError('invalid', known ? { text: known(input) } : {}, { problems })
}

/** Most ids one call may carry (S-48). */
const maxBatch = 10_000

/** Ids of a call that names many records: a bare list (contract http-api 3). Errors: `invalid`. */
export function readIds(body: unknown): number[] {
  const ids = body ?? []
  if (!Array.isArray(ids) || !ids.every((id) => Number.isSafeInteger(id) && id >= 0)) {
    throw new AppError('invalid', { text: texts.bodyIds })
  }
  if (ids.length > maxBatch) throw new AppError('invalid', { text: `at most ${maxBatch} IDs at once` })
  return ids
}
