import { type AnyRow, fieldKey } from '@qd/core/define'
import { plainText } from '@qd/core/fields'
import { incident } from '@qd/core/resources'
import type { Told } from '@qd/core/schemas'
import type { Screen } from '../app/screen.ts'
import type { Ui } from '../app/ui.ts'
import { cutLine, fitLine, type Line, line, ruleLine, span, wrapText } from '../terminal/line.ts'
import { factLines, titleRule } from '../views/detail-pane.ts'
import { createRecordScreen } from './record-screen.ts'

/** What is said of it by itself; what there is none of is left out. */
const facts = [
  'state',
  'server_id',
  'reading',
  'opened_at',
  'lasted',
  'closed_at',
  'rule_id',
  'service_id',
  'acked_by',
  'acked_at',
  'silenced_until',
  'quiet',
  'runs',
  'id',
]

/** One incident: what opened it and when, what was measured, who was told and who was not, and what ran. */
export function createIncidentScreen(ui: Ui, id: number): Screen {
  const { desk } = ui
  const { translator, format, view } = desk
  const told = (row: AnyRow) => (row.told as Told) ?? []
  const toldLine = ({ name, at, ok, error }: Told[number], columns: number): Line =>
    cutLine(
      [
        span(ok ? ' ✓ ' : ' ✗ ', ok ? 'ok' : 'bad'),
        ...fitLine(line(format.instant(at, view.now), 'muted'), 11),
        span(plainText(name)),
        span(error === '' ? '' : `  ${plainText(error)}`, 'bad'),
      ],
      columns,
    )
  return createRecordScreen(ui, {
    resource: incident,
    id,
    also: [],
    lines(row, columns) {
      const error = typeof row.error === 'string' ? row.error : ''
      const parts = told(row)
      return [
        titleRule(ui, incident, row, columns),
        ...(error === '' ? [] : wrapText(error, columns - 2).map((one) => line(` ${one}`, 'bad'))),
        [],
        ...factLines(ui, incident, row, {
          columns,
          names: facts.filter((name) => row[name] !== 0 && row[name] !== false),
        }),
        ...(parts.length > 0
          ? [
              [],
              ruleLine([span(translator.say(fieldKey(incident, 'notified')))], columns),
              ...parts.map((part) => toldLine(part, columns)),
            ]
          : []),
      ]
    },
  })
}
