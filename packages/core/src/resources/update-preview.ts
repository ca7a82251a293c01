import type { AnyRow, PreviewAround, Values } from '../define/index.ts'
import type { Translator } from '../i18n/index.ts'
import { versionOrder } from '../targets/index.ts'

/**
 * From which version to which the agents go, a line for each version there is. Our agents take the one this server brings; an agent
 * that is newer than it is one of the existing product, which fetches its own newest release.
 */
export function updatePreview(_values: Values, { t }: Translator, { rows, view }: PreviewAround): readonly string[] {
  const to = String(view.find('setting', 1)?.version ?? '')
  const counts = new Map<string, number>()
  for (const row of rows) counts.set(versionOf(row), (counts.get(versionOf(row)) ?? 0) + 1)
  return [...counts]
    .sort(([a], [b]) => versionOrder(a, b) ?? b.length - a.length)
    .map(([from, count]) => {
      if (from === '') return t('ui.update.unknown', { count })
      const order = to === '' ? null : versionOrder(from, to)
      if (order === 0) return t('ui.update.same', { count, from })
      return order !== null && order < 0
        ? t('ui.update.to', { count, from, to })
        : t('ui.update.newest', { count, from })
    })
}

const versionOf = ({ host }: AnyRow): string => String((host as { version?: string } | undefined)?.version ?? '')
