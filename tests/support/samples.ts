import { formLine } from '@qd/core/actions'
import type { Resource, Values } from '@qd/core/define'
import { resources } from '@qd/core/resources'
import { viewOf } from './core/rows.ts'
import { readExample } from './example-lines.ts'

/** Kinds of records that a member makes. */
export const memberKinds: readonly Resource[] = resources.filter(
  ({ wire, audience }) => wire.verbs.includes('create') && audience.write !== 'admin',
)

/** The setting `nat_domains` with which the sample of a NAT profile is valid. */
export const sampleDomain = 'apps.test'

interface Sample {
  readonly name: string
  /** The server that the record names, if its kind is about servers: a token that is limited to others must not reach it. */
  readonly server: number
}

/** Of each kind, a valid new record, as far as it differs from what its form starts with. What says something about the record says its name. */
const samples: Readonly<Record<string, (of: Sample) => Values>> = {
  'server-group': ({ server }) => ({ servers: [server] }),
  service: ({ server }) => ({
    ...{ type: 3, target: '192.0.2.1:1', duration: 3600, cover: 1, skip_servers: [server], hide_for_guest: true },
  }),
  cron: ({ name, server }) => ({ scheduler: '0 0 0 29 2 *', command: `echo ${name}`, servers: [server], cover: 0 }),
  notification: () => ({ url: 'https://192.0.2.1/', skip_check: true }),
  'notification-group': () => ({}),
  'alert-rule': ({ server }) => ({
    rules: [{ type: 'cpu', max: 200, duration: 10, cover: 1, ignore: { [server]: true } }],
  }),
  'maintenance-window': ({ server }) => ({
    ...{ starts_at: '2031-01-01T00:00:00Z', ends_at: '2031-01-01T01:00:00Z', cover: 1, servers: [server] },
  }),
  ddns: () => ({ domains: ['a.example'] }),
  nat: ({ name, server }) => ({ server_id: server, host: '127.0.0.1:1', domain: `${name}.${sampleDomain}` }),
  'api-token': () => ({ scopes: ['nezha:cron:read'] }),
}

/** A valid new record of a kind, as its form has it. */
export function sampleOf({ name: kind }: Resource, of: Sample): Values {
  const sample = samples[kind]
  if (!sample)
    throw new Error(`tests/support/samples.ts has no ${kind}: add what makes a new one valid, with its server`)
  return { name: of.name, ...sample(of) }
}

/** The same as a create call sends it. */
export function sampleBody(resource: Resource, of: Sample): Readonly<Record<string, unknown>> {
  return resource.wire.encode({ ...resource.initial, ...sampleOf(resource, of) }) as Readonly<Record<string, unknown>>
}

/** The same as flags of `qd KIND create`, without secrets. */
export function sampleFlags(resource: Resource, of: Sample): readonly string[] {
  const values = sampleOf(resource, of)
  const line = formLine({ resource, mode: 'create', base: null, values, view: viewOf({}) })
  return readExample(line).commands.flatMap(({ words }) => words.slice(2))
}
