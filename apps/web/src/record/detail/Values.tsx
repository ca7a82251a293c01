import { useValue } from '@legendapp/state/react'
import { fieldKey, fieldOf, type Resource } from '@qd/core/define'
import { factsOf, headingOf, linksOf } from '@qd/core/view'
import { copy, shortText } from '../../act/perform/perform.ts'
import { useCopied } from '../../base/hooks/use-timers.ts'
import { records, view } from '../../base/state/stores.ts'
import { surface } from '../../base/state/surface.ts'
import { useTexts } from '../../base/state/texts.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Note } from '../../ui/Note.tsx'
import { Cell } from '../fields/Cell.tsx'
import { useCell, useOfRow, withPoints } from '../fields/cells.ts'
import { type Shown, Value } from '../fields/Value.tsx'
import * as days from './Days.css.ts'
import { Links } from './Links.tsx'
import * as css from './PanelFrame.css.ts'
import type { SectionProps } from './section-props.ts'

export function Problem({ resource, id, section: { field } }: SectionProps<'problem'>) {
  const { say } = useTexts()
  const error = useCell(resource, id, field)
  if (!error || error.sort === null || error.text === '') return null
  return (
    <Note tone="bad" title={say(fieldKey(resource, field))}>
      {error.full ?? error.text}
    </Note>
  )
}

/** What a record is about; a web address is a link. */
export function Lead({ resource, id, section: { field } }: SectionProps<'lead'>) {
  const { t } = useTexts()
  const text = useValue(() => String(records.row$(resource.name, id).get()?.[field] ?? ''))
  if (!/^https?:\/\//i.test(text)) return <p className={days.target}>{text}</p>
  return (
    <p className={days.target}>
      <a href={text} target="_blank" rel="noreferrer noopener" title={t('ui.keys.openLink')}>
        {text}
      </a>
    </p>
  )
}

export function FactsOf({ resource, id, section: { fields } }: SectionProps<'facts'>) {
  return <Facts resource={resource} id={id} fields={fields} />
}

export function Rest({ resource, id, section }: SectionProps<'rest'>) {
  const { translator } = useTexts()
  return (
    <section className={css.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <Facts resource={resource} id={id} fields={section.fields ?? []} />
    </section>
  )
}

export function Days({ resource, id, section }: SectionProps<'days'>) {
  const { translator } = useTexts()
  return (
    <section className={css.section}>
      <h2>{headingOf(translator, resource, section)}</h2>
      <div className={days.days}>
        <Cell resource={resource} id={id} column={{ field: section.field, kind: 'days' }} />
      </div>
    </section>
  )
}

/** A long text with a copy button (product spec, section 4). */
export function LongText({ resource, id, section: { field } }: SectionProps<'text'>) {
  const { say, t } = useTexts()
  const shown = useCell(resource, id, field)
  const [isCopied, setCopied] = useCopied()
  if (!shown || shown.sort === null || shown.text === '') return null
  const name = say(fieldKey(resource, field))
  const text = shown.full ?? shown.text
  const copyIt = async () => {
    if (!isCopied) setCopied(await copy(text, text.length > shortText ? name : text))
  }
  return (
    <section className={css.section}>
      <h2 className={css.withButton}>
        {name}
        <IconButton
          size="small"
          icon={isCopied ? 'check' : 'copy'}
          label={t('ui.panel.copy', { name })}
          onPress={() => void copyIt()}
        />
      </h2>
      <p className={css.note}>{text}</p>
    </section>
  )
}

export function Facts({ resource, id, fields }: { resource: Resource; id: number; fields: readonly string[] }) {
  return (
    <dl className={css.facts}>
      {fields.map((field) => (
        <Fact key={field} resource={resource} id={id} field={field} />
      ))}
    </dl>
  )
}

/** A value as the detail page shows it; null if the record is unknown or the page leaves it out. */
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
