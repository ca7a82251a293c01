import { type Resource, textKey, titleOf } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { type Hosted, type HostLine, hostedOf, hostKindsFor, onServer } from '@qd/core/view'
import { wordRole } from '../../screen/fields/marks.ts'
import { createKept } from '../../screen/state/kept.ts'
import { endAll } from '../../screen/state/loaded.ts'
import { cutLine, type Line, line, ruleLine, span } from '../../screen/terminal/line.ts'
import { rowLines, spokenRow } from './related.ts'
import type { LinkTo, SectionMaker } from './section-view.ts'

/** What runs on the server’s host, kind by kind. A list’s key opens it for this server. */
export const createHosted: SectionMaker<'hosted'> = (ui, { id }) => {
  const { workspace } = ui
  const { records, t, say } = workspace
  const kinds = hostKindsFor(workspace.surface())
  const shown = kinds.filter(({ host }) => host?.onServer)
  const openList = (resource: Resource) => ui.places.filter(resource, '', onServer(id))
  // A page is drawn more often than something is read.
  const kept = shown.map((resource) => ({ resource, hosted: createKept<Hosted | null>() }))
  const read = () =>
    kept.flatMap(({ resource, hosted }) => {
      const { hosts, error } = records.list$(resource.name).peek()
      const of = [records.version$(resource.name).peek(), hosts, error]
      const now = hosted(of, () => hostedOf(workspace.surface(), resource, id, { hosts, error }))
      return now ? [{ resource, fields: resource.host?.onServer ?? [], ...now }] : []
    })
  return {
    commands: Object.fromEntries(kinds.map((kind) => [`go:${kind.name}`, () => openList(kind)])),
    load: () => void records.refresh(shown.map(({ name }) => name)),
    comes: () => read().some(({ isComing }) => isComing),
    watch() {
      for (const { name } of shown) void records.load(name, { on: onServer(id) })
      return endAll(...shown.map(({ name }) => records.watch(name)))
    },
    lines: (_row, columns) =>
      read().flatMap(({ resource, fields, rows, count, problems, note, isComing }) => [
        [],
        ruleLine(
          headOf(say(textKey.many(resource.name)), problems),
          columns,
          count === 0 ? [] : [...keyOf(resource), span(t('ui.detail.hosted.all', { count }), 'muted')],
        ),
        ...(isComing ? [line(` ${t('ui.list.loading')}`, 'muted')] : []),
        ...(note ? [cutLine([span(` ${note.text}`, wordRole[note.tone])], columns)] : []),
        ...rowLines(ui, resource, rows, fields, columns),
      ]),
    links: () =>
      read().flatMap(({ resource, rows, count }): LinkTo[] => {
        const label = say(textKey.many(resource.name))
        const opened = rows.map((row) => ({ resource, id: row.id, title: plainText(titleOf(resource, row)), label }))
        const all = t('ui.detail.hosted.all', { count })
        return count > rows.length
          ? [...opened, { resource, id, title: all, label, open: () => openList(resource) }]
          : opened
      }),
    spoken: () =>
      read().flatMap(({ resource, fields, rows, count, note }) => [
        `${say(textKey.many(resource.name))}: ${note?.text ?? t('ui.detail.hosted.all', { count })}`,
        ...rows.map((row) => spokenRow(ui, resource, row, fields)),
      ]),
  }
}

const headOf = (heading: string, problems: readonly HostLine[]): Line => [
  span(heading),
  ...problems.map(({ text, tone }) => span(`  ${text}`, wordRole[tone])),
]

const keyOf = ({ go }: Resource): Line => (go === null ? [] : [span(go, 'key'), span(' ')])
