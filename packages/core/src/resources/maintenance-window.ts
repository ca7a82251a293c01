import * as z from 'zod'
import { defineResource, lazy, namedOptions } from '../define/index.ts'
import {
  common,
  commonKinds,
  ids,
  longestNote,
  moment,
  owner,
  ownerKind,
  WatchCover,
  watchTargets,
} from '../schemas/index.ts'
import {
  byHand,
  checkSelection,
  driftField,
  selectionFields,
  selectionInitial,
  selectionInput,
  selectionKinds,
} from './following.ts'

const WindowState = namedOptions('planned', 'active', 'over')

/** Without its zone, the server and each browser would take it for another time. A date alone is its start in UTC for all. */
const zoned = moment
  .min(1, { abort: true })
  .refine(
    (text) => Number.isNaN(Date.parse(text)) || /^\d{4}-\d\d-\d\d$|\d:\d\d.*(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$/i.test(text),
    {
      params: { code: 'notDate' },
    },
  )

const input = lazy(() =>
  z
    .strictObject({
      name: z.string().min(1).max(128),
      starts_at: zoned,
      ends_at: zoned,
      cover: z.enum(WatchCover),
      servers: ids,
      ...selectionInput(),
      services: ids,
      note: z.string().max(longestNote),
    })
    .superRefine((window, context) => {
      checkSelection(window, context)
      const { starts_at, ends_at } = window
      if (Date.parse(ends_at) <= Date.parse(starts_at))
        context.addIssue({ code: 'custom', path: ['ends_at'], params: { code: 'endsFirst' } })
    }),
)
const added = lazy(() => ({ ...common, owner }))

type Window = z.output<ReturnType<typeof input>>
const targetsOf = ({ cover, servers }: Pick<Window, 'cover' | 'servers'>) => watchTargets({ cover, servers })

/** Planned time without notifications of these servers and monitors. */
export const maintenanceWindow = defineResource({
  name: 'maintenance-window',
  icon: 'wrench',
  family: 'notification',
  go: 'g q',
  input,
  added,
  initial: { starts_at: '', ends_at: '', cover: WatchCover.onlyListed, ...selectionInitial },
  fields: {
    ...commonKinds,
    name: { kind: 'text', show: 'always', wide: true },
    starts_at: { kind: 'instant', show: 'always', help: true, aliases: ['from'], flag: true },
    ends_at: { kind: 'instant', show: 'always', after: 'starts_at', help: true, aliases: ['to', 'until'], flag: true },
    cover: { kind: 'choice', options: WatchCover, flag: true },
    servers: { kind: 'refs', wide: true, to: 'server', flag: true },
    ...selectionKinds,
    services: { kind: 'refs', wide: true, to: 'service', flag: true },
    note: { kind: 'note', show: 'wide', wide: true },
    owner: ownerKind,
  },
  derived: {
    state: {
      kind: 'choice',
      show: 'always',
      options: WindowState,
      tones: { planned: 'muted', active: 'accent', over: 'muted' },
      words: true,
      from: ({ starts_at, ends_at }, { now }) =>
        now < Date.parse(starts_at) ? 'planned' : now < Date.parse(ends_at) ? 'active' : 'over',
    },
    reach: { kind: 'targets', from: targetsOf },
    drift: driftField(targetsOf),
  },
  columns: ['name', 'state', 'starts_at', 'ends_at', 'reach', 'services', 'note', 'server_query', 'drift'],
  sort: { field: 'starts_at', order: 'desc' },
  search: ['servers', 'services', 'note'],
  facet: 'state',
  form: {
    what: ['name', 'starts_at', 'ends_at', 'note'],
    where: [{ field: 'cover', when: byHand }, { field: 'servers', when: byHand }, ...selectionFields, 'services'],
  },
  targets: targetsOf,
  idle: { services: { empty: true } },
  withTargets: (_values, servers) => ({ cover: WatchCover.onlyListed, servers }),
  scopes: { read: 'nezha:alertrule:read', write: 'nezha:alertrule:write', remove: 'nezha:alertrule:delete' },
  requires: 'maintenance',
})
