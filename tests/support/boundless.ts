import type * as z from 'zod'

/** Paths inside a schema of texts, lists and maps that have no maximum, `''` for the schema itself. */
export function boundless(schema: z.ZodType, path = ''): string[] {
  const inside = (part: unknown, name = path) => boundless(part as z.ZodType, name)
  const def: Record<string, unknown> & { type: string } = { ...schema.def }
  const meta = schema.meta() ?? {}
  switch (def.type) {
    case 'string':
      return (schema as z.ZodString).maxLength === null && meta.maxLength === undefined ? [path] : []
    case 'array':
      return [...(isLimited(def.checks as z.core.$ZodCheck[]) ? [] : [path]), ...inside(def.element, `${path}[]`)]
    case 'record':
      return [
        ...(meta.maxProperties === undefined ? [path] : []),
        ...inside(def.keyType, `${path}{key}`),
        ...inside(def.valueType, `${path}{}`),
      ]
    case 'object':
      return Object.entries(def.shape as object).flatMap(([name, part]) =>
        inside(part, path ? `${path}.${name}` : name),
      )
    case 'union':
      return (def.options as unknown[]).flatMap((option) => inside(option))
    case 'pipe':
      return [...inside(def.in), ...inside(def.out)]
    case 'nullable':
    case 'optional':
    case 'default':
    case 'readonly':
      return inside(def.innerType)
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'transform':
    case 'null':
    case 'undefined':
      return []
    default:
      return [`${path} (${def.type})`]
  }
}

const isLimited = (checks: readonly z.core.$ZodCheck[] = []) =>
  checks.some(({ _zod }) => _zod.def.check === 'max_length')
