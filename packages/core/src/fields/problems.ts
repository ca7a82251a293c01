import type * as z from 'zod'
import { type FormShape, fieldKey, type Resource, type Values } from '../define/index.ts'
import { type ErrorParams, type Problem, problemCodes } from '../errors.ts'
import { problemSentence, type Translator } from '../i18n/index.ts'

export type Checked =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: readonly Problem[] }

export function checkInput(schema: z.ZodObject, values: unknown): Checked {
  const parsed = schema.safeParse(values, { reportInput: true })
  return parsed.success ? { ok: true, input: parsed.data } : { ok: false, problems: toProblems(parsed.error) }
}

/** Also checks what depends on the stored record; `stored` is null for a new one. */
export function checkRecord(
  { input, validate }: Pick<Resource, 'input' | 'validate'>,
  values: unknown,
  stored: Values | null,
): Checked {
  const checked = checkInput(input, values)
  const problems = (checked.ok && validate?.(checked.input, stored)) || []
  return problems.length > 0 ? { ok: false, problems } : checked
}

/** Secrets that a new record needs, although an edit may leave them empty. */
export function missingSecrets(
  { fields }: Pick<FormShape, 'fields'>,
  values: Readonly<Record<string, unknown>>,
): Problem[] {
  return Object.entries(fields)
    .filter(([name, field]) => field.kind === 'secret' && field.needed && !values[name])
    .map(([name]) => ({ field: name, code: 'required' }))
}

/** Converts a schema’s issues. The first part of the path is the field, `''` for the whole. */
export function toProblems(error: z.ZodError): Problem[] {
  return error.issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ field: key, code: 'unknownKey', params: { key } }))
    const [field = '', ...inside] = issue.path
    // Our own checks name their part themselves.
    const at = inside.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join('.')
    return [{ field: String(field), ...complaint(issue), ...(at === '' || issue.code === 'custom' ? {} : { at }) }]
  })
}

type Complaint = Omit<Problem, 'field'>

const expectations: Readonly<Record<string, Problem['code']>> = {
  string: 'notText',
  number: 'notNumber',
  int: 'notInteger',
  boolean: 'notFlag',
  array: 'notList',
}

const tooBig: Readonly<Record<string, Problem['code']>> = { number: 'tooBig', int: 'tooBig', array: 'tooManyItems' }

const formats: Readonly<Record<string, Problem['code']>> = {
  url: 'notUrl',
  datetime: 'notDate',
  date: 'notDate',
  json_string: 'notJson',
}

function complaint(issue: z.core.$ZodIssue): Complaint {
  switch (issue.code) {
    case 'invalid_type':
      return {
        code: isMissing(issue.input) ? 'required' : (expectations[issue.expected] ?? 'wrong'),
      }
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum))
    case 'too_big':
      return { code: tooBig[issue.origin] ?? 'tooLong', params: { maximum: Number(issue.maximum) } }
    case 'invalid_value':
      return { code: 'notOption' }
    case 'invalid_format':
      return { code: formats[issue.format] ?? 'wrong' }
    case 'invalid_key':
      return { code: 'notId' }
    case 'custom':
      return custom(issue.params ?? {})
    default:
      return { code: 'wrong' }
  }
}

function isMissing(input: unknown): boolean {
  return input === undefined || input === null || input === ''
}

function tooSmall(origin: string, minimum: number): Complaint {
  if (origin === 'number' || origin === 'int') return { code: 'tooSmall', params: { minimum } }
  return minimum === 1 ? { code: 'required' } : { code: 'tooShort', params: { minimum } }
}

/** Our own checks carry their code; a refused schedule carries its reason too. */
function custom({ code, problem, ...rest }: Record<string, unknown>): Complaint {
  const known = problemCodes.find((one) => one === code) ?? 'wrong'
  const inner = problem as { code: string; params: ErrorParams } | undefined
  const params = { ...(rest as ErrorParams), ...(inner ? { reason: inner.code, ...inner.params } : {}) }
  return Object.keys(params).length > 0 ? { code: known, params } : { code: known }
}

/** "Name: Fill this in". A problem of the whole record has no field. */
export function problemText(translator: Translator, resource: { name: string }, problem: Problem): string {
  const sentence = problemSentence(translator, problem)
  const key = fieldKey(resource, problem.field)
  if (problem.field === '') return sentence
  const field = translator.has(key) ? translator.say(key) : problem.field
  return translator.t('errors.problemOf', { field, problem: sentence })
}
