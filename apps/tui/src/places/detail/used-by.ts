import { usedBy } from '@qd/core/actions'
import { usedByGroups } from '@qd/core/view'
import { widthOf } from '../../base/output/width.ts'
import { blank, fitLine, type Line, line, span, wrapText } from '../../screen/terminal/line.ts'
import type { SectionMaker } from './section-view.ts'

/** The records that use this one, which its deletion would touch. */
export const createUsedBy: SectionMaker<'used-by'> = ({ workspace }, { resource, id }) => {
  const groups = () => usedByGroups(workspace, usedBy(resource, [id], workspace.view))
  return {
    lines(_row, columns) {
      const found = groups()
      const cells = Math.min(Math.floor(columns / 2), Math.max(0, ...found.map(({ label }) => widthOf(label))))
      return found.flatMap(({ label, links }) =>
        wrapText(workspace.format.list(links.map(({ title }) => title)), columns - cells - 4).map(
          (text, index): Line => [
            blank(1),
            ...fitLine(line(index === 0 ? label : '', 'muted'), cells),
            span(`  ${text}`),
          ],
        ),
      )
    },
    links: () => groups().flatMap(({ label, links }) => links.map((link) => ({ ...link, label }))),
    spoken: () =>
      groups().map(({ label, links }) => `${label}: ${workspace.format.list(links.map(({ title }) => title))}`),
  }
}
