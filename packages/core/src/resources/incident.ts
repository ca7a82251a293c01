import * as z from 'zod'
import { type AnyRow, defineAction, defineResource, lazy, namedOptions } from '../define/index.ts'
import { common, commonKinds, deliveries, id, incidentResponses, instant, owner, ownerKind } from '../schemas/index.ts'

export const IncidentSource = { rule: 'alert-rule', service: 'service' } as const
/** `silenced` ends by itself. */
export const IncidentState = namedOptions('open', 'acknowledged', 'silenced', 'closed')

const scope = 'nezha:alertrule:write'
const closed = { when: { state: { is: 'closed' } }, reason: 'isClosed' } as const

const added = lazy(() => ({
  ...common,
  source: z.enum(IncidentSource),
  rule_id: id,
  service_id: id,
  server_id: id,
  name: z.string(),
  state: z.enum(IncidentState),
  reading: z.object({ metric: z.string(), value: z.number().nullable(), limit: z.number().nullable() }).nullable(),
  error: z.string(),
  opened_at: instant.nullable(),
  closed_at: instant.nullable(),
  acked_by: z.string(),
  acked_at: instant.nullable(),
  silenced_until: instant.nullable(),
  quiet: z.boolean(),
  told: deliveries(),
  responses: incidentResponses(),
  runs: z.array(z.int()),
  owner,
}))

const ack = defineAction<AnyRow>()({
  on: 'many',
  scope,
  icon: 'check',
  key: 'a',
  aliases: ['acknowledge', 'take'],
  blocked: [closed, { when: { state: { is: 'acknowledged' } }, reason: 'isAcknowledged', already: true }],
  wire: { method: 'POST', path: 'incident/{id}/ack' },
})

const silence = defineAction<AnyRow>()({
  on: 'many',
  scope,
  icon: 'bell-off',
  key: 'm',
  aliases: ['mute', 'snooze', 'quiet'],
  blocked: [closed],
  args: {
    input: () =>
      z.strictObject({
        duration: z
          .int()
          .min(60)
          .max(30 * 86_400),
      }),
    initial: { duration: 3600 },
    fields: {
      duration: {
        kind: 'duration',
        wide: true,
        presets: [1800, 3600, 4 * 3600, 86_400, 7 * 86_400],
        help: true,
        aliases: ['for'],
        flag: true,
      },
    },
    form: { how: ['duration'] },
  },
  wire: { method: 'POST', path: 'incident/{id}/silence', body: (_rows, args) => args },
})

const unsilence = defineAction<AnyRow>()({
  on: 'many',
  scope,
  icon: 'bell',
  aliases: ['unmute'],
  blocked: [{ when: { state: { not: 'silenced' } }, reason: 'notSilenced', already: true }],
  wire: { method: 'POST', path: 'incident/{id}/unsilence' },
})

const note = defineAction<AnyRow>()({
  on: 'one',
  scope,
  icon: 'pencil',
  key: 'n',
  aliases: ['comment', 'write', 'post-mortem'],
  capability: 'incident-notes',
  args: {
    input: () => z.strictObject({ text: z.string().trim().min(1).max(2000) }),
    word: 'text',
    fields: { text: { kind: 'note', wide: true, flag: true } },
    form: { what: ['text'] },
  },
  wire: { method: 'POST', path: 'incident/{id}/note', body: (_rows, args) => args },
})

export const incident = defineResource({
  name: 'incident',
  icon: 'siren',
  family: 'notification',
  go: 'g i',
  added,
  fields: {
    ...commonKinds,
    source: { kind: 'choice', options: IncidentSource, words: true },
    rule_id: { kind: 'ref', to: 'alert-rule', aliases: ['rule'] },
    service_id: { kind: 'ref', to: 'service', aliases: ['service'] },
    server_id: { kind: 'ref', show: 'always', to: 'server', aliases: ['server'] },
    name: { kind: 'text', show: 'always' },
    state: {
      kind: 'choice',
      show: 'always',
      options: IncidentState,
      tones: { open: 'bad', acknowledged: 'warn', silenced: 'muted', closed: 'ok' },
      words: true,
    },
    reading: { kind: 'reading' },
    error: { kind: 'note', show: 'detail' },
    opened_at: { kind: 'instant', aliases: ['since'] },
    closed_at: { kind: 'instant' },
    acked_by: { kind: 'text', show: 'wide', short: true },
    acked_at: { kind: 'instant' },
    silenced_until: { kind: 'instant', show: 'wide', aliases: ['until'], short: true },
    quiet: { kind: 'flag' },
    told: { kind: 'part', schema: deliveries },
    responses: { kind: 'part', schema: incidentResponses },
    runs: { kind: 'refs', show: 'detail', to: 'run' },
    owner: ownerKind,
  },
  derived: {
    lasted: {
      kind: 'duration',
      show: 'always',
      from: ({ opened_at, closed_at }, { now }) =>
        opened_at === null
          ? null
          : Math.max(
              0,
              Math.floor(((closed_at === null ? now : Date.parse(closed_at)) - Date.parse(opened_at)) / 1000),
            ),
    },
    notified: {
      kind: 'list',
      show: 'wide',
      // Notifiers of both opening and closing appear twice.
      from: (row) => [...new Set(row.told.map(({ name, ok, error }) => (ok ? name : `${name}: ${error}`)))],
      short: true,
    },
  },
  columns: [
    'name',
    'state',
    'server_id',
    'reading',
    'opened_at',
    'lasted',
    'notified',
    'acked_by',
    'silenced_until',
    'error',
    'runs',
  ],
  sort: { field: 'opened_at', order: 'desc' },
  search: ['server_id', 'error', 'notified'],
  facet: 'state',
  scopes: { read: 'nezha:alertrule:read', write: scope, remove: null },
  audience: { read: 'guest' },
  wire: { verbs: ['list', 'get'], paging: 'server', filter: 'state' },
  requires: 'incidents',
  open: 'detail',
  detail: {
    tags: ['quiet'],
    sections: [
      { kind: 'problem', field: 'error' },
      {
        kind: 'facts',
        fields: [
          'state',
          'reading',
          'opened_at',
          'lasted',
          'closed_at',
          'source',
          'acked_by',
          'acked_at',
          'silenced_until',
        ],
      },
      { kind: 'links', fields: ['server_id', 'service_id', 'rule_id'] },
      {
        kind: 'timeline',
        opened: 'opened_at',
        closed: 'closed_at',
        told: 'told',
        responses: 'responses',
        says: ['notified'],
      },
      { kind: 'links', fields: ['runs'], headed: true },
    ],
  },
  actions: { ack, silence, unsilence, note },
})
