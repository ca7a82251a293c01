import { defineResource, type ResourceName } from '@qd/core/define'
import { hostAction, hostAdded, hostDefaults, hostKinds } from '@qd/core/resources'
import * as z from 'zod'

const kind = 'crate' as ResourceName

/** What an agent runs to collect crates: each is a file of a folder, whose text is its seal. */
export const cratesScript = (folder: string): string =>
  `cd '${folder}' && for crate in *.box; do echo "$crate $(cat "$crate")"; done`

const rowsOf = (text: string) =>
  [...text.matchAll(/^(\S+) (whole|broken)$/gm)].map(([, name, seal]) => ({ name, seal }))

/** A crate: records of hosts that no line of the product knows. */
export const crate = defineResource({
  ...hostDefaults(kind),
  name: kind,
  icon: 'server',
  family: 'host',
  title: 'name',
  added: () => ({ ...hostAdded(), seal: z.enum(['whole', 'broken']) }),
  fields: {
    ...hostKinds,
    seal: {
      kind: 'choice',
      show: 'always',
      options: { whole: 'whole', broken: 'broken' },
      tones: { whole: 'ok', broken: 'bad' },
      words: true,
    },
  },
  columns: ['name', 'seal', 'server_id'],
  sort: { field: 'seal', order: 'desc' },
  facet: 'seal',
  actions: { lift: { ...hostAction(kind, 'lift'), icon: 'play' } },
  host: {
    collector: 'crates',
    example: 'tea',
    parser: async () => (text) => ({ state: 'read', rows: rowsOf(text), left: 0 }),
    short: (name) => name.replace(/\.box$/, ''),
    shownMs: 5000,
    onServer: ['seal'],
    commands: async () => (action, names) => (action === 'lift' ? ['crane', '--', ...names] : null),
  },
})
