import { setTimeout } from 'node:timers/promises'
import { families } from '../../../apps/server/src/api/metrics/families.ts'
import { createWorld, type World } from '../world.ts'
import type { Pages } from './markdown.ts'
import { block, code, paragraphs, plain, table } from './markdown.ts'

interface Operation {
  summary?: string
  tags?: readonly string[]
  'x-scopes'?: readonly string[]
  deprecated?: true
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  tags: readonly { name: string; description: string }[]
}

/** The reference pages about what a running server answers. */
export async function servedPages(): Promise<Pages> {
  const world = await createWorld()
  try {
    const scraped = await scrape(world)
    const { body } = await world.guest().send('GET', '/api/v1/openapi.json')
    const known = [...families(world.server.container as never, null, true)]
    return { 'metrics.md': metrics(known, scraped), 'http-api.md': api(body as unknown as Document) }
  } finally {
    await world.close()
  }
}

/** What is measured from the first request on is in a later answer. */
async function scrape(world: World): Promise<string> {
  for (;;) {
    const { text } = await world.guest().send('GET', '/metrics')
    if (text.includes('quarterdeck_event_loop_delay_seconds')) return text
    await setTimeout(200)
  }
}

/** Those of the fleet, then what else the server answers. */
function metrics(known: readonly { name: string; type: string; help: string }[], scraped: string): string {
  const others = [...scraped.matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (\S+)$/gm)].map(
    ([, name = '', help = '', type = '']) => ({ name, help, type }),
  )
  const all = [...known, ...others.filter(({ name }) => known.every((one) => one.name !== name))]
  return paragraphs([
    '# Metrics',
    'What `/metrics` answers to Prometheus. Who may read it, and how to scrape it: [Prometheus](../../operate/prometheus.md).',
    block('sh', ['curl -s http://127.0.0.1:8008/metrics   # on the server itself']),
    table(
      ['Metric', 'Type', 'Meaning'],
      all.map(({ name, type, help }) => [code(name), type, plain(help)]),
    ),
  ])
}

/** Every operation, by what it is about. */
function api({ paths, tags }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )
  const names = [...new Set([...tags.map(({ name }) => name), ...operations.map(({ tags = [] }) => tags[0] ?? '')])]
  const sections = names.flatMap((name) => {
    const own = operations.filter((operation) => (operation.tags?.[0] ?? '') === name && !operation.deprecated)
    const rows = own.map(({ method, path, summary = '', 'x-scopes': scopes = [] }) => [
      code(`${method} ${path}`),
      plain(summary),
      scopes.map(code).join(' '),
    ])
    const title = tags.find((tag) => tag.name === name)?.description ?? name
    return rows.length === 0
      ? []
      : [`## ${title[0]!.toUpperCase()}${title.slice(1)}`, table(['Call', 'Does', 'Token needs'], rows)]
  })
  return paragraphs([
    '# HTTP API calls',
    'Every call below `/api/v1`, from the OpenAPI document that the server answers. How to sign in and read answers: [the API](../../automate/api.md).',
    block('sh', ['curl -s http://127.0.0.1:8008/api/v1/openapi.json', 'qd api GET server']),
    ...sections,
  ])
}
