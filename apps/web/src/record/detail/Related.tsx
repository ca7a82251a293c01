import { useValue } from '@legendapp/state/react'
import { fieldOf, titleOf } from '@qd/core/define'
import { resourceByName } from '@qd/core/resources'
import { headingOf, recordPath, relatedRows } from '@qd/core/view'
import { Link } from 'react-router-dom'
import { records, session, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { Cell } from '../fields/Cell.tsx'
import { useSame } from '../fields/cells.ts'
import * as items from './Items.css.ts'
import * as css from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'
import { useFound } from './use-found.ts'

/** Records that are shown. */
const most = 8

/** Records of another resource that belong to this one; of a list that the server pages the newest are asked for. */
export function Related({ resource, id, section }: SectionProps<'related'>) {
  const { translator, format } = useTexts()
  const of = resourceByName(section.of)!
  const { by } = section
  const isThere = useValue(() => of.requires === null || session.supports(of.requires))
  const isAsked = of.wire.paging === 'server' && typeof by === 'string' && isThere
  const { ids: found } = useFound(of.name, isAsked ? { q: `${by}:#${id}`, limit: most } : null)
  const known = useSame(() => (isAsked ? [] : relatedRows(surface(), section, id).map((row) => row.id)))
  const ids = (isAsked ? (found ?? []) : known).slice(0, most)
  if (ids.length === 0) return null
  const order = fieldOf(of, of.sort.field).kind === 'instant' ? of.sort.field : null
  return (
    <section className={css.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <ul className={items.list}>
        {ids.map((one) => {
          const row = records.peek(of.name, one)
          return (
            <li key={one} className={items.item}>
              {order && <time className={items.time}>{format.instant(String(row?.[order] ?? 0), view.now)}</time>}
              <Link className={items.text} to={recordPath(of, one)}>
                {row ? titleOf(of, row) : `#${one}`}
              </Link>
              {section.fields.map((field) => (
                <span key={field} className={items.side}>
                  <Cell resource={of} id={one} column={{ field, kind: fieldOf(of, field).kind }} />
                </span>
              ))}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
