import { readFileSync } from 'node:fs'
import { resources } from '@qd/core/resources'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createScript } from '../support/api-tokens.ts'
import type { Browser } from '../support/browser.ts'
import { createWorld, type World } from '../support/world.ts'

interface Operation {
  'x-scopes'?: readonly string[]
  operationId?: string
  summary?: string
  requestBody?: { content: { 'application/json': { schema: object } } }
}
interface Document {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object> }
}

let world: World
let root: Browser
let document: Document
beforeAll(async () => {
  world = await createWorld()
  root = await world.login()
  document = (await world.guest().send('GET', '/api/v1/openapi.json')).body as unknown as Document
})
afterAll(() => world.close())

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  )

describe('issue 14: the API as OpenAPI 3.1', () => {
  test('a validator takes it', async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await new Validator().validate(document as never)).toEqual({ valid: true })
  })

  test('every route is described, once, and every operation has an id of its own', () => {
    expect(operations().filter(({ summary }) => summary === undefined)).toEqual([])
    const ids = operations().map(({ operationId }) => operationId)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    for (const { name, wire, actions } of resources) {
      for (const verb of wire.verbs) expect(ids).toContain(`${name}.${verb}`)
      for (const { wire: call } of Object.values(actions))
        if (call) expect(document.paths[`/${call.path}`]?.[call.method.toLowerCase()]).toBeDefined()
    }
  })

  test('contract walk: every call of spec section 7 is in it', () => {
    const spec = readFileSync(new URL('../../docs/develop/sources/product-spec.md', import.meta.url), 'utf8')
    const calls = spec
      .split('\n')
      .filter((line) => line.startsWith('| ') && line.includes('/api/v1/'))
      .flatMap((line) => line.split('|')[1]!.split(';'))
      .flatMap((cell) => {
        const [, methods, path] = /([A-Z, ]+) \/api\/v1\/([^\s?]+)/.exec(cell)!
        return methods!.split(',').map((method) => `${method.trim()} /${path}`)
      })
    const known = new Set(operations().map(({ name }) => name))
    expect(calls.length).toBeGreaterThan(50)
    expect(calls.filter((call) => !known.has(call) && !later.test(call))).toEqual([])
  })

  test('what is stored as it says is taken, and answers are as it says', async () => {
    const ajv = new Ajv2020({ strict: false })
    const task = {
      name: 'a',
      command: 'true',
      scheduler: '0 0 3 * * *',
      servers: [],
      cover: 1,
      task_type: 0,
      push_successful: false,
      notification_group_id: 0,
    }
    const body = document.paths['/cron']!.post!.requestBody!.content['application/json'].schema
    expect(ajv.validate(body, task)).toBe(true)
    expect(ajv.validate(body, { ...task, command: 7 })).toBe(false)
    await root.api('POST', 'cron', task)
    await world.agent()
    const listed = resources.filter(({ wire }) => wire.verbs.includes('list'))
    // Some wait for a host that doesn't answer.
    const answers = await Promise.all(listed.map(({ wire }) => root.api('GET', wire.calls.list.path)))
    for (const [at, { name }] of listed.entries()) {
      const answer = answers[at] as { value?: object[] } | object[] | undefined
      const records = Array.isArray(answer) ? answer : (answer?.value ?? [])
      for (const record of records) {
        ajv.validate(document.components.schemas[name]!, record)
        expect([name, ajv.errors ?? []]).toEqual([name, []])
      }
    }
  })
})

/** Calls of parts that later changes build. */
const later = / \/(batch-delete\/)?file\b/

test('issue 37.8 the scopes of the document are those that a call demands', async () => {
  const scripts = new Map<string, ReturnType<typeof createScript>>()
  const scriptWith = (scopes: readonly string[]) => {
    const key = scopes.join(' ')
    const known = scripts.get(key) ?? createScript(world, root, { scopes })
    scripts.set(key, known)
    return known
  }
  /** The scope that this token lacks for the call; null if it lacks none. */
  const lacking = async (name: string, scopes: readonly string[]) => {
    const [method = '', path = ''] = name.split(' ')
    const at = path
      .slice(1)
      .replace('{id}', '9999')
      .replace(/\{\w+\}/g, 'none')
    const body = { server_id: 9999, servers: [9999], path: '/tmp/x', name: 'x' }
    const script = await scriptWith(scopes)
    const { text } = await script.send(method, `${at}?id=9999`, method === 'GET' ? undefined : body)
    if (text.includes('not accessible by api token')) return 'refused'
    return /api token lacks scope ([\w:*-]+)/.exec(text)?.[1] ?? null
  }
  const wrong: string[] = []
  const judge = async ({ name, 'x-scopes': scopes = [] }: ReturnType<typeof operations>[number]) => {
    // A token that has nothing to do with it, all but one of its scopes, and just these.
    const unrelated = scopes.some((scope) => scope.startsWith('nezha:transfer:'))
      ? 'nezha:nat:read'
      : 'nezha:transfer:read'
    const bare = await lacking(name, [unrelated])
    if (bare === 'refused') return
    if (bare !== null && !scopes.includes(bare)) wrong.push(`${name} demands ${bare}, the document says ${scopes}`)
    for (const left of scopes) {
      const others = [unrelated, ...scopes.filter((scope) => scope !== left)]
      const told = await lacking(name, others)
      if (told !== left) wrong.push(`${name} goes without ${left}`)
    }
    const told = scopes.length === 0 ? bare : await lacking(name, scopes)
    if (told !== null && told !== 'refused') wrong.push(`${name} demands ${told} besides ${scopes}`)
  }
  await Promise.all(operations().map(judge))
  expect(wrong).toEqual([])
})
