import * as z from 'zod'
import { type AnyRow, defineResource, lazy, namedOptions } from '../define/index.ts'
import { hostAdded, hostDefaults, hostKinds } from './host.ts'
import { Protocol } from './host-options.ts'

const added = lazy(() => ({
  ...hostAdded(),
  protocol: z.enum(Protocol),
  address: z.string(),
  port: z.int(),
  program: z.string(),
  pid: z.number().nullable(),
}))

/** Who can reach a port, as far as its address tells; a firewall may allow less. */
const OpenTo = namedOptions('everywhere', 'address', 'local')

function openTo({ address }: AnyRow): string {
  const text = String(address)
  if (text === '*' || text === '0.0.0.0' || text === '::') return OpenTo.everywhere
  return /^(127\.|::1($|%)|::ffff:127\.)/.test(text) ? OpenTo.local : OpenTo.address
}

/** A port on which a program of a host listens. */
export const port = defineResource({
  ...hostDefaults('port'),
  name: 'port',
  icon: 'link',
  go: 'g b',
  family: 'host',
  aliases: ['ports', 'listeners', 'listening', 'sockets', 'netstat', 'ss'],
  added,
  fields: {
    ...hostKinds,
    port: { kind: 'number', show: 'always', digits: 0, code: true },
    protocol: { kind: 'choice', options: Protocol, words: true, short: true },
    address: { kind: 'text' },
    program: { kind: 'text', aliases: ['process'], absentWhen: { program: { is: '' } }, help: true },
    pid: { kind: 'number', digits: 0, code: true, absentWhen: { pid: { is: null } } },
  },
  derived: {
    open_to: {
      kind: 'choice',
      options: OpenTo,
      tones: { everywhere: 'plain', address: 'plain', local: 'muted' },
      words: true,
      from: openTo,
    },
  },
  columns: ['name', 'port', 'open_to', 'program', 'server_id', 'pid', 'protocol', 'address'],
  sort: { field: 'port', order: 'asc' },
  search: ['program', 'server_id'],
  facet: 'open_to',
  host: {
    collector: 'ports',
    parser: async () => (await import('./parse-ports.ts')).parsePorts,
    example: 'tcp/0.0.0.0:22',
    shownMs: 5_000,
    commands: async () => () => null,
  },
})
