import type { AnyRow } from '@qd/core/define'
import { type Moment, momentsOf } from '@qd/core/view'
import { fitLine, type Line, line, span, wrapText } from '../../screen/terminal/line.ts'
import type { SectionMaker } from './section-view.ts'

/** Cells of the time at the left. */
const timeCells = 11

/** All that happened in the time of a record, oldest first. */
export const createTimeline: SectionMaker<'timeline'> = ({ workspace }, { section }) => {
  const moments = (row: AnyRow) => momentsOf(workspace, row, section)
  const at = (moment: Moment) => workspace.format.instant(moment.at, workspace.view.now)
  const linesOf = (moment: Moment, columns: number): Line[] => {
    const { text, result } = moment
    const said = text.split('\n').flatMap((one) => wrapText(one, columns - timeCells - 2))
    return said.map((one, index) => [
      span(' '),
      ...fitLine(line(index === 0 ? at(moment) : '', 'muted'), timeCells),
      span(one),
      span(result && index === said.length - 1 ? `  ${result.text}` : '', result?.tone === 'bad' ? 'bad' : 'muted'),
    ])
  }
  return {
    lines: (row, columns) => moments(row).flatMap((moment) => linesOf(moment, columns)),
    spoken: (row) =>
      moments(row).map((moment) => [at(moment), moment.text, moment.result?.text ?? ''].join(' ').trim()),
  }
}
