import type { LogSource } from '@qd/protocol/logs'
import { AppError, firstItem } from '../errors.ts'
import type { Action, ActionDefinition, ActionWire, Outcome, Screen } from './action.ts'
import { completeArguments, type Values } from './form-shape.ts'
import type { Resource } from './resource.ts'
import type { AnyRow } from './row.ts'
import { type ActionContext, atRecord } from './wire.ts'

type Base = Omit<Resource, 'actions' | 'detail'>

const defaults = {
  tone: 'plain',
  aliases: [],
  blocked: [],
  refusals: [],
  unchosen: null,
  confirm: 'none',
  warn: [],
  typed: false,
  targets: null,
  final: false,
  runsOn: null,
  allAtOnce: null,
  starts: null,
  evidence: null,
  brings: null,
  waits: false,
  opens: null,
  wire: null,
} satisfies Partial<Action>

/** Standard actions that its wire and form allow, and its own. */
export function completeActions(
  base: Base,
  own: Readonly<Record<string, Partial<ActionDefinition<AnyRow>>>>,
  opensDetail: boolean,
): Readonly<Record<string, Action>> {
  const all = standard(base, opensDetail)
  const { open: opened, create, ...rest } = all
  const added = Object.fromEntries(Object.entries(own).filter(([name]) => !all[name]))
  // Specific actions come before standard ones; delete comes last.
  const ordered = { ...(opened && { open: opened }), ...(create && { create }), ...added, ...rest }
  return Object.fromEntries(
    Object.entries(ordered).map(([name, one]) => [
      name,
      complete(base, name, { ...one, ...own[name] } as ActionDefinition<AnyRow>),
    ]),
  )
}

function complete(base: Base, name: string, definition: ActionDefinition<AnyRow>): Action {
  const { key, args, outcome, run: runs, ...given } = definition
  const { wire = null, opens = null } = given
  return {
    ...defaults,
    audience: base.audience.write,
    capability: base.requires,
    stepUp: base.stepUp.some((verb) => verb === name),
    ...given,
    name,
    resource: base.name,
    key: typeof key === 'object' ? key : { web: key ?? null, tui: key ?? null },
    args: args ? completeArguments({ resource: base.name, action: name }, args) : null,
    run: (context, rows, values = {}) =>
      runs?.(context, rows, values) ??
      (opens ? openScreen(opens, rows, definition.on) : callWire(wire, outcome)(context, rows, values)),
  }
}

async function openScreen(screen: Screen, [first, ...others]: readonly AnyRow[], on: Action['on']): Promise<Outcome> {
  const beside = on === 'many' && { others: others.map(({ id }) => id) }
  return { kind: 'open', screen, id: first?.id ?? null, ...beside }
}

function callWire(wire: ActionWire | null, outcome: ActionDefinition<AnyRow>['outcome']) {
  return async ({ api }: ActionContext, rows: readonly AnyRow[], args: Values = {}): Promise<Outcome> => {
    const answer = wire && (await sendWire(wire, { api }, rows, args))
    return outcome?.(answer, rows) ?? { kind: 'done', changed: rows.map((row) => row.id) }
  }
}

/** Sends one call for all rows, or one per row if its path has `{id}`. Returns the last response. */
export async function sendWire(
  { method, path, body }: ActionWire,
  { api }: Pick<ActionContext, 'api'>,
  rows: readonly AnyRow[],
  args: Values = {},
): Promise<unknown> {
  if (!path.includes('{id}')) {
    return api.send({ method, path, body: body ? body(rows, args) : rows.map((row) => row.id) })
  }
  let answer: unknown = null
  for (const row of rows) {
    answer = await api.send({
      method,
      path: atRecord({ method, path }, row.id),
      ...(body ? { body: body([row], args) } : {}),
    })
  }
  return answer
}

/** Opens the log lines of the rows’ servers: those of a source with the rows’ name, or all. Errors: `invalid` for several names. */
export const logsAction = (source: LogSource | null): ActionDefinition<AnyRow> => ({
  on: 'many',
  scope: 'nezha:server:exec',
  icon: 'file',
  key: 'l',
  capability: 'logs',
  aliases: ['log', 'journal', 'journalctl', 'tail', 'output'],
  opens: 'logs',
  async run(_context, rows) {
    const ids = new Set(rows.map((row) => (source ? Number(row.server_id) : row.id)))
    const on = [...ids].map((id) => `#${id}`).join(' or ')
    if (!source) return { kind: 'open', screen: 'logs', id: null, query: { on } }
    const [name, ...others] = new Set(rows.map((row) => String(row.ref ?? row.name)))
    if (others.length > 0)
      throw new AppError('invalid', {}, { problems: [{ field: source, code: 'tooManyItems', params: { maximum: 1 } }] })
    return { kind: 'open', screen: 'logs', id: null, query: { on, ...(name !== undefined && { [source]: name }) } }
  },
})

function standard(base: Base, opensDetail: boolean): Record<string, ActionDefinition<AnyRow>> {
  const { name, wire, scopes, form } = base
  const has = (verb: (typeof wire.verbs)[number]) => wire.verbs.includes(verb)
  const opening = <On extends 'none' | 'one'>(mode: 'create' | 'edit' | 'duplicate', on: On) => ({
    on,
    scope: scopes.write,
    run: async (_context: ActionContext, rows: readonly AnyRow[]): Promise<Outcome> => ({
      kind: 'form',
      resource: name,
      mode,
      id: on === 'one' ? firstItem(rows).id : null,
    }),
  })
  const pencil = { icon: 'pencil', key: 'e' } as const
  if (wire.shape === 'one')
    return has('edit') && form.length > 0 ? { edit: { ...opening('edit', 'none'), ...pencil } } : {}
  const edit = { ...opening('edit', 'one'), ...pencil }
  const reading = { scope: scopes.read, audience: base.audience.read }
  const detail = {
    ...reading,
    on: 'one',
    icon: 'eye',
    run: async (_context, rows) => ({ kind: 'detail', resource: name, id: firstItem(rows).id }),
  } satisfies ActionDefinition<AnyRow>
  const isOpened = opensDetail || !has('edit')
  const actions: Record<string, ActionDefinition<AnyRow>> = { open: { ...(isOpened ? detail : edit), key: 'Enter' } }
  if (has('create')) actions.create = { ...opening('create', 'none'), icon: 'plus', key: 'c', aliases: ['new', 'add'] }
  if (has('edit')) actions.edit = { ...edit, aliases: ['change', 'rename'] }
  if (has('create'))
    actions.duplicate = {
      ...opening('duplicate', 'one'),
      icon: 'copy',
      key: 'd',
      aliases: ['clone', 'copy as new'],
    }
  if (!isOpened) actions.details = { ...detail, key: 'i', aliases: ['show', 'info', 'used by'] }
  actions['copy-id'] = {
    ...reading,
    on: 'many',
    icon: 'copy',
    run: async (_context, rows) => ({ kind: 'copy', text: rows.map((row) => row.id).join(',') }),
  }
  if (base.host?.logs) actions.logs = logsAction(base.host.logs)
  if (has('delete'))
    actions.delete = {
      on: 'many',
      scope: scopes.remove,
      icon: 'trash-2',
      key: { web: 'Delete', tui: 'D' },
      tone: 'bad',
      confirm: 'delete',
      aliases: ['remove'],
      wire: wire.calls.delete,
      outcome: (_answer, rows) => ({ kind: 'done', removed: rows.map((row) => row.id) }),
    }
  return actions
}
