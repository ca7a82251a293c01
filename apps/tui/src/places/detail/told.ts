import type { AnyRow } from '@qd/core/define'
import { toldGroup } from '@qd/core/view'
import { cutLine, span } from '../../screen/terminal/line.ts'
import type { SectionMaker } from './section-view.ts'

/** The group that is told and who is in it. */
export const createTells: SectionMaker<'tells'> = ({ workspace }, { resource, section }) => {
  const text = (row: AnyRow) => {
    const told = toldGroup(workspace, resource, row, section)
    if (!told) return null
    return `${told.group.title}: ${workspace.format.list(told.members.map(({ title }) => title))}`
  }
  return {
    lines(row, columns) {
      const told = text(row)
      const nobody = workspace.translator.t('ui.incident.tellsNobody')
      return [cutLine([span(` ${told ?? nobody}`, ...(told === null ? (['muted'] as const) : []))], columns)]
    },
    spoken: (row) => [text(row) ?? workspace.translator.t('ui.incident.tellsNobody')],
  }
}
