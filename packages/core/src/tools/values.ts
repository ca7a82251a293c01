import * as z from 'zod'
import { pickOne } from '../api/index.ts'
import type { Field, FormShape, Resource, Values, View } from '../define/index.ts'
import { AppError, type Problem } from '../errors.ts'
import type { Translator } from '../i18n/index.ts'
import { resourceByName } from '../resources/index.ts'
import type { Json } from './tool.ts'

/** What JSON Schema can’t express is unrestricted. */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

const named = { anyOf: [{ type: 'integer' }, { type: 'string' }] } as const

/** Choices are given by option name, references by ID or name. */
function propertyOf(field: Field, schema: unknown): unknown {
  if (field.kind === 'choice') return { type: 'string', enum: Object.keys(field.options) }
  if (field.kind === 'ref') return { ...named, description: `a ${field.to}, by ID or name` }
  if (field.kind === 'refs' && (schema as Json | undefined)?.type === 'array')
    return { type: 'array', items: named, description: `each a ${field.to}, by ID or name` }
  return schema
}

/** Properties of a form with its labels and help. */
export function propertiesOf(shape: FormShape, { say, has }: Translator): Json {
  const known = schemaOf(shape.input).properties as Json
  const shown = Object.entries(shape.fields).filter(([name, { hidden }]) => name in known && !hidden)
  return Object.fromEntries(
    shown.map(([name, field]) => {
      const property = propertyOf(field, known[name]) as Json
      const texts = [`resources.${shape.name}.fields.${name}`, `resources.${shape.name}.help.${name}`]
      const said = [...texts.filter(has).map((key) => say(key)), property.description].filter(Boolean).join('. ')
      return [name, { ...property, ...(said && { description: said }) }]
    }),
  )
}

/** Converts option names and references to stored values. Errors: `invalid` with problems. */
export function valuesOf(shape: FormShape, given: Json, view: View): Values {
  const problems: Problem[] = []
  const read = (name: string, value: unknown): unknown => {
    const field = shape.fields[name]
    if (!field || field.hidden || !(name in shape.input.shape)) {
      problems.push({ field: name, code: 'unknownKey' })
      return value
    }
    if (field.kind === 'choice' && typeof value === 'string') return field.options[value] ?? value
    if (field.kind === 'ref') return referenced(field.to, value, view)
    if (field.kind === 'refs' && Array.isArray(value)) return value.map((one) => referenced(field.to, one, view))
    return value
  }
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, read(name, value)]))
  if (problems.length > 0) throw new AppError('invalid', {}, { problems })
  return values
}

function referenced(to: Resource['name'], value: unknown, view: View): unknown {
  const resource = resourceByName(to)
  // Read the list also for an ID, so that it is loaded.
  const rows = view.all(to)
  return typeof value === 'string' && resource ? pickOne(resource, rows, value.trim()).id : value
}
