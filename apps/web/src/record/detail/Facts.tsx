import { fieldKey, fieldOf, type Resource } from '@qd/core/define'
import { factsOf, linksOf } from '@qd/core/view'
import { view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { useOfRow, withPoints } from '../fields/cells.ts'
import { type Shown, Value } from '../fields/Value.tsx'
import { Links } from './Links.tsx'
import * as css from './PanelFrame.css.ts'

/** Fields of the record that have a value with their names, in two columns. */
export function Facts({ resource, id, fields }: { resource: Resource; id: number; fields: readonly string[] }) {
  return (
    <dl className={css.facts}>
      {fields.map((field) => (
        <Fact key={field} resource={resource} id={id} field={field} />
      ))}
    </dl>
  )
}

/** A value as a record's page shows it, followed; null while the record is not known, and where it says nothing by it. */
function useFact(resource: Resource, id: number, field: string): Shown | null {
  return useOfRow(resource, id, (row) => {
    const [fact] = factsOf(surface(), resource, row, [field])
    return fact ? withPoints(fact.shown, resource, row, field) : null
  })
}

function Fact({ resource, id, field }: { resource: Resource; id: number; field: string }) {
  const { say } = useTexts()
  const shown = useFact(resource, id, field)
  const { kind } = fieldOf(resource, field)
  const isNaming = kind === 'ref' || kind === 'refs'
  const links = useOfRow(resource, id, (row) =>
    isNaming
      ? linksOf({ view }, resource, row, [field]).map(({ resource: to, id: of, title }) => ({
          name: to.name,
          id: of,
          title,
        }))
      : [],
  )
  if (!shown || shown.sort === null) return null
  return (
    <>
      <dt>{say(fieldKey(resource, field))}</dt>
      <dd>{links && links.length > 0 ? <Links of={links} /> : <Value kind={kind} shown={shown} />}</dd>
    </>
  )
}
