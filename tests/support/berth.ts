import { defineResource, type ResourceName } from '@qd/core/define'
import { ids } from '@qd/core/schemas'
import * as z from 'zod'

const instant = z.string()
const common = { id: z.int(), created_at: instant, updated_at: instant }

/** A berth: an entity that no line of the product knows, with one of each thing that shared code must treat by the definition alone. `beside` names another berth. */
export const berth = defineResource({
  name: 'berth' as ResourceName,
  icon: 'server',
  path: '/dashboard/berth',
  input: () =>
    z.strictObject({
      name: z.string().min(1).max(128),
      notification_group_id: z.int(),
      tasks: ids,
      beside: z.int().default(0),
      code: z.string().nullable(),
      lit: z.boolean(),
    }),
  added: () => ({ ...common, has_code: z.boolean() }),
  fields: {
    id: { kind: 'number' },
    created_at: { kind: 'instant' },
    updated_at: { kind: 'instant' },
    name: { kind: 'text', show: 'always' },
    notification_group_id: { kind: 'ref', to: 'notification-group' },
    tasks: { kind: 'refs', to: 'cron' },
    beside: { kind: 'ref', to: 'berth' as ResourceName },
    code: { kind: 'secret', has: 'has_code' },
    has_code: { kind: 'flag', hidden: true },
    lit: { kind: 'flag', show: 'always' },
  },
  columns: ['name', 'notification_group_id', 'tasks', 'lit'],
  form: { what: ['name', 'notification_group_id', 'tasks', 'beside', 'code', 'lit'] },
  scopes: { read: 'nezha:server:read', write: 'nezha:server:write', remove: 'nezha:server:delete' },
  actions: {
    light: { on: 'one', scope: 'nezha:server:write', icon: 'play', wire: { method: 'POST', path: 'berth/{id}/light' } },
  },
})
