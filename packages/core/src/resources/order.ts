import { type AnyRow, defineAction, type ResourceName, type Scope } from '../define/index.ts'
import { firstItem } from '../errors.ts'

interface Ordered {
  resource: ResourceName
  path: string
  scope: Scope
  capability: string
  bodyOf(row: AnyRow): unknown
}

/** Larger weights first, then by ID. */
function inOrder(rows: readonly AnyRow[]): AnyRow[] {
  return [...rows].sort((a, b) => Number(b.display_index) - Number(a.display_index) || a.id - b.id)
}

/** Weights that move `id` one step; only changed ones. */
export function reordered(rows: readonly AnyRow[], id: number, step: -1 | 1): { row: AnyRow; display_index: number }[] {
  const order = inOrder(rows)
  const at = order.findIndex((row) => row.id === id)
  const to = at + step
  if (at < 0 || to < 0 || to >= order.length) return []
  const next = [...order]
  next.splice(to, 0, ...next.splice(at, 1))
  return next
    .map((row, index) => ({ row, display_index: next.length - index }))
    .filter(({ row, display_index }) => row.display_index !== display_index)
}

export function moveAction(step: -1 | 1, { resource, path, scope, capability, bodyOf }: Ordered) {
  return defineAction<AnyRow>()({
    on: 'one',
    scope,
    capability,
    icon: step < 0 ? 'arrow-up' : 'arrow-down',
    key: step < 0 ? 'Alt+ArrowUp' : 'Alt+ArrowDown',
    waits: true,
    async run({ api, view }, rows) {
      const changes = reordered(view.all(resource), firstItem(rows).id, step)
      for (const { row: moved, display_index } of changes)
        await api.send({ method: 'PATCH', path: `${path}/${moved.id}`, body: bodyOf({ ...moved, display_index }) })
      return { kind: 'done', changed: changes.map((change) => change.row.id) }
    },
  })
}
