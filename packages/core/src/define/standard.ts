import type { Action, ActionContext, ActionDefinition, ActionWire, Outcome } from './action.ts'
import type { Resource } from './resource.ts'
import type { AnyRow } from './row.ts'

type Base = Omit<Resource, 'actions'>

/** Every action of a resource: the ones its wire and form allow, then its own, with defaults filled. */
export function completeActions(
  base: Base,
  { own, open }: { own: Readonly<Record<string, ActionDefinition<AnyRow>>>; open: Action['run'] | null },
): Readonly<Record<string, Action>> {
  const definitions = { ...standard(base, open), ...own }
  return Object.fromEntries(
    Object.entries(definitions).map(([name, definition]) => [name, complete(base, name, definition)]),
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
    aliases: definition.aliases ?? [],
    capability: definition.capability ?? base.requires,
    starts: definition.starts ?? null,
    blocked: definition.blocked ?? [],
    wire,
    run: definition.run ? (context, rows) => definition.run!(context, rows) : callWire(wire),
  }
}

function callWire(wire: ActionWire | null) {
  return async ({ api }: ActionContext, rows: readonly AnyRow[]): Promise<Outcome> => {
    const ids = rows.map((row) => row.id)
    if (wire?.path.includes('{id}')) {
      for (const id of ids) await api.send({ method: wire.method, path: wire.path.replace('{id}', String(id)) })
    } else if (wire) {
      await api.send({ method: wire.method, path: wire.path, body: ids })
    }
    return { kind: 'done', changed: ids }
  }
}

function standard(base: Base, open: Action['run'] | null): Record<string, ActionDefinition<AnyRow>> {
  const { name, wire, scopes, form } = base
  const has = (verb: (typeof wire.verbs)[number]) => wire.verbs.includes(verb)
  const formOf = (mode: 'create' | 'edit' | 'duplicate'): Outcome => ({ kind: 'form', resource: name, mode, id: null })
  const forRow =
    (mode: 'edit' | 'duplicate'): ActionDefinition<AnyRow>['run'] =>
    async (_context, rows) =>
      ({ ...formOf(mode), id: rows[0]!.id }) as Outcome
  const actions: Record<string, ActionDefinition<AnyRow>> = {}
  if (wire.shape === 'many') {
    if (open)
      actions.open = {
        on: 'one',
        scope: scopes.read,
        audience: base.audience.read,
        icon: 'eye',
        key: 'Enter',
        run: open,
      }
    else if (has('edit'))
      actions.open = { on: 'one', scope: scopes.write, icon: 'pencil', key: 'Enter', run: forRow('edit')! }
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
        run: forRow('edit')!,
      }
    if (has('create'))
      actions.duplicate = {
        on: 'one',
        scope: scopes.write,
        icon: 'copy',
        key: 'd',
        aliases: ['clone', 'copy as new'],
        run: forRow('duplicate')!,
      }
  } else if (has('edit') && form.length > 0) {
    actions.edit = { on: 'none', scope: scopes.write, icon: 'pencil', key: 'e', run: async () => formOf('edit') }
  }
  if (wire.shape === 'many') {
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
      wire: { method: 'POST', path: wire.batchPath },
      run: async ({ api }, rows) => {
        const ids = rows.map((row) => row.id)
        await api.send({ method: 'POST', path: wire.batchPath, body: ids })
        return { kind: 'done', removed: ids }
      },
    }
  }
  return actions
}
