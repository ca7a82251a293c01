import * as z from 'zod'
import { type AnyRow, defineAction, lazy, type PreviewAround, type Values } from '../define/index.ts'
import type { Translator } from '../i18n/index.ts'
import { ids } from '../schemas/index.ts'

const nothing = { params: { code: 'nothingChanged' } }

/** Sends changes rather than members, so that concurrent edits aren’t lost. */
export const regroupInput = lazy(() =>
  z
    .strictObject({ add: ids, remove: ids })
    .refine(({ add, remove }) => add.length + remove.length > 0, { ...nothing, path: ['add'] })
    .refine(({ add, remove }) => !remove.some((id) => add.includes(id)), { ...nothing, path: ['remove'] }),
)

function preview(values: Values, { t }: Translator, { rows, view }: PreviewAround): readonly string[] {
  const lines = (groups: unknown, isAdding: boolean) =>
    (groups as readonly number[]).map((id) => {
      const group = view.find('server-group', id)
      const members = (group?.servers ?? []) as readonly number[]
      const count = rows.filter((row) => members.includes(row.id) !== isAdding).length
      const name = String(group?.name ?? id)
      return isAdding
        ? t('ui.regroup.join', { name, more: count, total: members.length + count })
        : t('ui.regroup.leave', { name, fewer: count, total: members.length - count })
    })
  return [...lines(values.add, true), ...lines(values.remove, false)]
}

export const regroup = defineAction<AnyRow>()({
  on: 'many',
  scope: 'nezha:server:write',
  icon: 'layers',
  unchosen: 'noneChosen',
  aliases: ['group', 'add to group', 'tag', 'label'],
  capability: 'regroup',
  args: {
    input: regroupInput,
    fields: {
      add: { kind: 'refs', wide: true, to: 'server-group', flag: true },
      remove: { kind: 'refs', wide: true, to: 'server-group', flag: true },
    },
    form: { groups: ['add', 'remove'] },
    preview,
  },
  wire: {
    method: 'POST',
    path: 'batch-group/server',
    body: (rows, args) => ({ ids: rows.map(({ id }) => id), ...args }),
  },
  outcome: (_answer, rows) => ({ kind: 'done', changed: rows.map(({ id }) => id) }),
})
