import { firstItem } from '../errors/index.ts'
import type { Action, ActionDefinition, ActionWire, Outcome } from './action.ts'
import { completeArguments, type Values } from './form-shape.ts'
import type { Resource } from './resource.ts'
import type { AnyRow } from './row.ts'
import type { ActionContext } from './wire.ts'

type Base = Omit<Resource, 'actions' | 'detail'>

/** Every action of a resource: the ones its wire and form allow, then its own, with defaults filled. */
export function completeActions(
  base: Base,
  {
    own,
    opensDetail,
    limits,
  }: {
    own: Readonly<Record<string, ActionDefinition<AnyRow>>>
    opensDetail: boolean
    limits: Readonly<Partial<Record<string, Partial<ActionDefinition<AnyRow>>>>>
  },
): Readonly<Record<string, Action>> {
  const { open: opened, create, ...rest } = standard(base, opensDetail)
  // What the entity is for stands before what every record has; what takes it away comes last.
  const definitions = { ...(opened && { open: opened }), ...(create && { create }), ...own, ...rest, ...own }
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [
      name,
      complete(base, name, { ...limits[name], ...definition }),
    ]),
  )
}

function complete(base: Base, name: string, definition: ActionDefinition<AnyRow>): Action {
  const { key, wire = null } = definition
  return {
    name,
    resource: base.name,
    on: definition.on,
    scope: definition.scope,
    audience: definition.audience ?? base.audience.write,
    icon: definition.icon,
    key: typeof key === 'object' ? key : { web: key ?? null, tui: key ?? null },
    tone: definition.tone ?? 'plain',
    confirm: definition.confirm ?? 'none',
    final: definition.final ?? false,
    runsOn: definition.runsOn ?? null,
    allAtOnce: (definition.allAtOnce as Action['allAtOnce'] | undefined) ?? null,
    aliases: definition.aliases ?? [],
    capability: definition.capability ?? base.requires,
    starts: definition.starts ?? null,
    evidence: definition.evidence ?? null,
    brings: definition.brings ?? null,
    bringsMany: definition.bringsMany ?? null,
    renews: definition.renews ?? [],
    waits: definition.waits ?? false,
    stepUp: definition.stepUp ?? base.stepUp.some((verb) => verb === name),
    onScreen: definition.onScreen ?? false,
    args: definition.args ? completeArguments({ resource: base.name, action: name }, definition.args) : null,
    reach: definition.reach ?? null,
    warn: definition.warn ?? [],
    unchosen: definition.unchosen ?? null,
    blocked: definition.blocked ?? [],
    refusals: definition.refusals ?? [],
    typed: definition.typed ?? false,
    wire,
    run: (context, rows, args = {}) =>
      definition.run?.(context, rows, args) ?? callWire(wire, definition.outcome)(context, rows, args),
  }
}

function callWire(wire: ActionWire | null, outcome: ActionDefinition<AnyRow>['outcome']) {
  return async ({ api }: ActionContext, rows: readonly AnyRow[], args: Values = {}): Promise<Outcome> => {
    const answer = wire && (await sendWire(wire, { api }, rows, args))
    return outcome?.(answer, rows) ?? { kind: 'done', changed: rows.map((row) => row.id) }
  }
}

/** Sends the call of an action: one for all rows, or one for each where its path names it. Returns what the last one answered. */
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
      path: path.replace('{id}', String(row.id)),
      ...(body ? { body: body([row], args) } : {}),
    })
  }
  return answer
}

function standard(base: Base, opensDetail: boolean): Record<string, ActionDefinition<AnyRow>> {
  const { name, wire, scopes, form } = base
  const has = (verb: (typeof wire.verbs)[number]) => wire.verbs.includes(verb)
  const formOf = (mode: 'create' | 'edit' | 'duplicate', id: number | null = null): Outcome => ({
    kind: 'form',
    resource: name,
    mode,
    id,
  })
  const forRow =
    (mode: 'edit' | 'duplicate') =>
    async (_context: ActionContext, rows: readonly AnyRow[]): Promise<Outcome> =>
      formOf(mode, firstItem(rows).id)
  const actions: Record<string, ActionDefinition<AnyRow>> = {}
  const detail = {
    on: 'one',
    scope: scopes.read,
    audience: base.audience.read,
    icon: 'eye',
    run: async (_context, rows) => ({ kind: 'detail', resource: name, id: firstItem(rows).id }),
  } satisfies ActionDefinition<AnyRow>
  const isOpened = opensDetail || !has('edit')
  if (wire.shape === 'many') {
    if (isOpened) actions.open = { ...detail, key: 'Enter' }
    else actions.open = { on: 'one', scope: scopes.write, icon: 'pencil', key: 'Enter', run: forRow('edit') }
    if (has('create'))
      actions.create = {
        on: 'none',
        scope: scopes.write,
        icon: 'plus',
        key: 'c',
        aliases: ['new', 'add'],
        run: async () => formOf('create'),
      }
    if (has('edit'))
      actions.edit = {
        on: 'one',
        scope: scopes.write,
        icon: 'pencil',
        key: 'e',
        aliases: ['change', 'rename'],
        run: forRow('edit'),
      }
    if (has('create'))
      actions.duplicate = {
        on: 'one',
        scope: scopes.write,
        icon: 'copy',
        key: 'd',
        aliases: ['clone', 'copy as new'],
        run: forRow('duplicate'),
      }
  } else if (has('edit') && form.length > 0) {
    actions.edit = { on: 'none', scope: scopes.write, icon: 'pencil', key: 'e', run: async () => formOf('edit') }
  }
  if (wire.shape === 'many') {
    if (!isOpened) actions.details = { ...detail, key: 'i', aliases: ['show', 'info', 'used by'] }
    actions['copy-id'] = {
      on: 'many',
      scope: scopes.read,
      audience: base.audience.read,
      icon: 'copy',
      run: async (_context, rows) => ({ kind: 'copy', text: rows.map((row) => row.id).join(',') }),
    }
  }
  if (has('delete')) {
    actions.delete = {
      on: 'many',
      scope: scopes.remove,
      icon: 'trash-2',
      key: { web: 'Delete', tui: 'D' },
      tone: 'bad',
      confirm: 'delete',
      aliases: ['remove'],
      wire:
        wire.deletes === 'each'
          ? { method: 'DELETE', path: `${wire.path}/{id}` }
          : { method: 'POST', path: wire.batchPath },
      outcome: (_answer, rows) => ({ kind: 'done', removed: rows.map((row) => row.id) }),
    }
  }
  return actions
}
