import { cookieNames } from '@qd/core/api'
import type { Action, Resource, Route } from '@qd/core/define'
import { firstItem } from '@qd/core/errors'
import { createTranslator, loadLanguage, type Translator } from '@qd/core/i18n'
import * as z from 'zod'
import type { HttpContext } from '../http/request.ts'

type Json = Record<string, unknown>

export interface Described {
  id: string
  summary: string
  /** All of these scopes are required. */
  scope?: string | readonly string[] | null
  tag: string
  query?: readonly string[]
  body?: z.ZodType | Json
  data?: z.ZodType | Json
  isOld?: true
}

export type Routes = Readonly<Record<string, { about: Described; answer(context: HttpContext): Promise<Response> }>>

/** Of paged lists (docs/reference/pagination.md). */
const pageQuery = ['offset', 'limit', 'q', 'sort', 'order', 'id'] as const

/** OpenAPI 3.1 from the registry, and `others` by method and path. `routes`: the router's. */
export async function openApi(
  routes: readonly { method: string; path: string }[],
  {
    resources,
    others,
    version,
  }: { resources: readonly Resource[]; others: ReadonlyMap<string, Described>; version: string },
): Promise<Json> {
  const translator = createTranslator({ language: 'en-US', bundles: { 'en-US': await loadLanguage('en-US') } })
  const described = new Map(resources.flatMap((resource) => routesOf(resource, translator)))
  const paths: Record<string, Json> = {}
  for (const { method, path } of routes) {
    const at = path.replace(/:(\w+)/g, '{$1}')
    paths[at] ??= {}
    paths[at][method.toLowerCase()] = operationOf(
      at,
      others.get(`${method} ${path}`) ?? described.get(`${method} ${at}`) ?? null,
    )
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quarterdeck',
      version,
      description: `Answers are \`{"success": true, "data": …}\`, without \`data\` where there is none; refusals are \`{"error": …, "code": …}\`, of Nezha dashboards with status 200. With \`Prefer: return=representation\`, creating or changing a record returns the record. A person signs in with \`POST /login\` and sends the cookies, and with every change the header \`X-CSRF-Token\` with the value of the cookie \`${cookieNames.csrf}\`; a program sends an API token.`,
    },
    servers: [{ url: '/api/v1' }],
    tags: resources.map(({ name }) => ({ name, description: translator.say(`resources.${name}.many`) })),
    security: [{ token: [] }, { session: [], csrf: [] }, {}],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An API token, `nzp_…`' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieNames.token,
          description: `\`${cookieNames.hostToken}\` over HTTPS`,
        },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
      },
      schemas: Object.fromEntries(resources.map((resource) => [resource.name, recordOf(resource)])),
      responses: { refusal: { description: 'Refused', content: jsonOf(refusal) } },
    },
  }
}

const refusal = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    code: { type: 'string' },
    params: { type: 'object' },
    problems: {
      type: 'array',
      items: { type: 'object', properties: { field: { type: 'string' }, code: { type: 'string' } } },
    },
  },
  required: ['error'],
}

const jsonOf = (schema: Json) => ({ 'application/json': { schema } })

function operationOf(path: string, said: Described | null): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name === 'id' ? { type: 'integer', minimum: 0 } : { type: 'string' },
  }))
  const inQuery = (said?.query ?? []).map((name) => ({ name, in: 'query', schema: { type: 'string' } }))
  const data = said?.data && jsonSchemaOf(said.data)
  const answer = {
    type: 'object',
    properties: { success: { const: true }, ...(data && { data }) },
    required: ['success'],
  }
  return {
    ...(said && { operationId: said.id, summary: said.summary, tags: [said.tag] }),
    ...(said?.scope && { 'x-scopes': [said.scope].flat() }),
    ...(said?.isOld && { deprecated: true }),
    ...(inPath.length + inQuery.length > 0 && { parameters: [...inPath, ...inQuery] }),
    ...(said?.body && { requestBody: { required: true, content: jsonOf(jsonSchemaOf(said.body)) } }),
    responses: {
      200: { description: 'Done', content: jsonOf(answer) },
      default: { $ref: '#/components/responses/refusal' },
    },
  }
}

function routesOf(resource: Resource, { say }: Translator): [string, Described][] {
  const { name, wire, scopes, actions, serverChecks } = resource
  const one = { $ref: `#/components/schemas/${name}` }
  const { calls } = wire
  const [single, many] = [say(`resources.${name}.one`), say(`resources.${name}.many`)].map(lowerFirst)
  const ids = { type: 'array', items: { type: 'integer' } }
  const found: [string, Described][] = []
  const add = (method: string, at: string, verb: string, more: Omit<Described, 'id' | 'tag'>) =>
    found.push([`${method} ${at}`, { id: `${name}.${verb}`, tag: name, ...more }])
  const addCall = ({ method, path }: Route, verb: string, more: Omit<Described, 'id' | 'tag'>) =>
    add(method, `/${path}`, verb, more)
  const isSaid = (method: string, at: string) => found.some(([key]) => key === `${method} /${at}`)
  const has = (verb: (typeof wire.verbs)[number]) => wire.verbs.includes(verb)
  const body = bodyOf(resource)
  if (wire.shape === 'one') {
    addCall(calls.get, 'get', { summary: `Show the ${single}`, scope: scopes.read })
    if (has('edit')) addCall(calls.edit, 'edit', { summary: `Change the ${single}`, scope: scopes.write, body })
  } else {
    const list = { type: 'array', items: one }
    const page = { type: 'object', properties: { value: list, pagination: { type: 'object' } } }
    const isPaged = wire.paging === 'server'
    if (has('list'))
      addCall(calls.list, 'list', {
        summary: `List ${many}`,
        scope: scopes.read,
        data: isPaged ? page : list,
        ...(isPaged && { query: [...pageQuery, ...(wire.filter === null ? [] : [wire.filter])] }),
      })
    if (has('get')) addCall(calls.get, 'get', { summary: `Show one ${single}`, scope: scopes.read, data: one })
    if (has('create')) addCall(calls.create, 'create', { summary: `Create a ${single}`, scope: scopes.write, body })
    if (has('edit')) addCall(calls.edit, 'edit', { summary: `Change a ${single}`, scope: scopes.write, body })
    if (has('delete')) {
      const more = { summary: `Delete ${many}`, scope: scopes.remove }
      addCall(calls.delete, 'delete', { ...more, ...(!calls.delete.path.includes('{id}') && { body: ids }) })
    }
  }
  for (const action of Object.values(actions)) {
    // Some actions duplicate an edit.
    if (!action.wire || isSaid(action.wire.method, action.wire.path)) continue
    const summary = `${say(`resources.${name}.actions.${action.name}`)} (${many})`
    const at = `/${action.wire.path}`
    const said = { summary, scope: action.scope, ...bodyOfAction(action, ids) }
    add(action.wire.method, at, action.name, said)
    if (action.wire.method !== 'GET') add('GET', at, `${action.name}.get`, { ...said, isOld: true })
  }
  for (const [check, { call }] of Object.entries(serverChecks)) {
    const { method, path: at } = call(resource.initial, null)
    if (isSaid(method, at)) continue
    add(method, `/${at}`, `try-${check}`, {
      summary: `Test an unsaved ${single}: ${check}`,
      scope: scopes.write,
      body,
    })
  }
  return found
}

/** Arguments, or IDs if the path names no record. */
function bodyOfAction({ args, wire }: Action, ids: Json): { body?: Json } {
  if (args) return { body: schemaOf(args.input) }
  return wire!.path.includes('{id}') || wire!.method === 'GET' ? {} : { body: ids }
}

/** By wire names; renamed fields are untyped. */
function bodyOf({ input, initial, wire }: Resource): Json {
  const schema = schemaOf(input)
  const known = schema.properties as Json
  const sent = wire.encode(initial) as Json
  return {
    type: 'object',
    properties: Object.fromEntries(Object.keys(sent).map((field) => [field, known[field] ?? {}])),
  }
}

/** Empty fields may be missing, others may be added. */
function recordOf({ read }: Resource): Json {
  return optional(schemaOf(read)) as Json
}

function optional(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(optional)
  if (typeof schema !== 'object' || schema === null) return schema
  const { required, ...rest } = schema as Json
  return Object.fromEntries(
    Object.entries(Array.isArray(required) ? rest : (schema as Json)).map(([key, value]) => [key, optional(value)]),
  )
}

const jsonSchemaOf = (schema: z.ZodType | Json) => (schema instanceof z.ZodType ? schemaOf(schema) : schema)

/** Unrepresentable types become "any". */
function schemaOf(schema: z.ZodType): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return rest
}

const lowerFirst = (text: string) => (/^[A-Z][a-z]/.test(text) ? firstItem(text).toLowerCase() + text.slice(1) : text)
