import type { AnyRow } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import type { Told } from '@qd/core/schemas'
import { toldGroup } from '@qd/core/view'
import { cutLine, fitLine, line, span } from '../terminal/line.ts'
import type { PartMaker } from './part.ts'

/** The group that is told and who is in it. */
export const createTells: PartMaker<'tells'> = ({ desk }, { resource, section }) => {
  const text = (row: AnyRow) => {
    const told = toldGroup(desk, resource, row, section)
    if (!told) return null
    return `${told.group.title}: ${desk.format.list(told.members.map(({ title }) => title))}`
  }
  return {
    lines(row, columns) {
      const told = text(row)
      const nobody = desk.translator.t('ui.incident.tellsNobody')
      return [cutLine([span(` ${told ?? nobody}`, ...(told === null ? (['muted'] as const) : []))], columns)]
    },
    spoken: (row) => [text(row) ?? desk.translator.t('ui.incident.tellsNobody')],
  }
}

/** Whom it told and whom it could not. */
export const createTold: PartMaker<'told'> = ({ desk }, { section }) => ({
  lines: (row, columns) =>
    ((row[section.field] ?? []) as Told).map(({ name, at, ok, error }) =>
      cutLine(
        [
          span(ok ? ' ✓ ' : ' ✗ ', ok ? 'ok' : 'bad'),
          ...fitLine(line(desk.format.instant(at, desk.view.now), 'muted'), 11),
          span(plainText(name)),
          span(error === '' ? '' : `  ${plainText(error)}`, 'bad'),
        ],
        columns,
      ),
    ),
})
