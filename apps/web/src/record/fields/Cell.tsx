import { type Action, actionKey, type Resource, type Tone } from '@qd/core/define'
import type { Column, RowStatus } from '@qd/core/view'
import type { ReactNode } from 'react'
import { perform } from '../../act/perform/lazy-perform.ts'
import { useCopied } from '../../base/hooks/use-timers.ts'
import { records } from '../../base/state/stores.ts'
import { useTexts } from '../../base/state/texts.ts'
import { button } from '../../ui/Button.css.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { RowButton } from '../../ui/RowButton.tsx'
import { tones } from '../../ui/StateMark.css.ts'
import { StateMark } from '../../ui/StateMark.tsx'
import * as css from './Cell.css.ts'
import { useCell, useRowStatus } from './cells.ts'
import { SwitchCell, switchOf } from './SwitchCell.tsx'
import { type Shown, Value } from './Value.tsx'

/** A cell that renders only when its value changes. `label` names it where there is no table head. */
export function Cell({
  resource,
  id,
  column,
  label,
}: {
  resource: Resource
  id: number
  column: Pick<Column, 'field' | 'kind'>
  label?: string
}) {
  const shown = useCell(resource, id, column.field)
  return drawCell({ resource, id, column, shown: shown && label !== undefined ? { ...shown, label } : shown })
}

export function drawCell({
  resource,
  id,
  column,
  shown,
}: {
  resource: Resource
  id: number
  column: Pick<Column, 'field' | 'kind'>
  shown: Shown | null
}): ReactNode {
  const turns = switchOf(resource.fields[column.field])
  if (turns) return <SwitchCell resource={resource} id={id} field={column.field} actions={turns} />
  if (!shown) return null
  const value = Value({ kind: column.kind, shown })
  const copies = resource.actions[`copy-${column.field}`]
  return copies ? (
    <CopyCell key={id} resource={resource} id={id} action={copies}>
      {value}
    </CopyCell>
  ) : (
    value
  )
}

export function TitleCell({ resource, id }: { resource: Resource; id: number }) {
  const shown = useCell(resource, id, resource.title)
  const status = useRowStatus(resource, id)
  return shown && drawTitle(id, shown, status)
}

export function drawTitle(id: number, shown: Shown, status: RowStatus | null): ReactNode {
  return (
    <span className={css.title}>
      {status && <StateMark tone={status.tone} label={status.word} />}
      <span className={css.name} title={shown.full ?? shown.text}>
        {shown.text === '' ? `#${id}` : shown.text}
      </span>
      {(status?.planned ?? status?.cause) && (
        <span
          className={`${css.cause} ${tones[status?.planned ? 'muted' : status?.tone === 'bad' ? 'bad' : 'warn']}`}
          title={[status?.planned, status?.cause].filter(Boolean).join(', ')}
        >
          {status?.planned ?? status?.cause}
        </span>
      )}
    </span>
  )
}

export function Absence({ resource, id, className }: { resource: Resource; id: number; className?: string }) {
  const status = useRowStatus(resource, id)
  return status && drawAbsence(status, className)
}

export function drawAbsence(status: RowStatus, className?: string): ReactNode {
  if (!status.absence) return null
  return (
    <span className={`${css.absence} ${className ?? ''}`} title={status.absence}>
      <Emphasised sentence={status.absence} word={status.word} tone={status.tone} />
    </span>
  )
}

function Emphasised({ sentence, word, tone }: { sentence: string; word: string; tone: Tone }) {
  if (!sentence.toLocaleLowerCase().startsWith(word.toLocaleLowerCase())) return sentence
  return (
    <>
      <b className={tones[tone]}>{sentence.slice(0, word.length)}</b>
      {sentence.slice(word.length)}
    </>
  )
}

function CopyCell({
  resource,
  id,
  action,
  children,
}: {
  resource: Resource
  id: number
  action: Action
  children: ReactNode
}) {
  const { say } = useTexts()
  const label = say(actionKey(action))
  const [isCopied, setCopied] = useCopied()
  const copy = async () => {
    const report = await perform(action, [records.peek(resource.name, id)!])
    setCopied(report.kind === 'ok' && report.outcome.kind === 'copy' && report.outcome.text !== '')
  }
  return (
    <span className={css.cell}>
      {children}
      <RowButton
        className={button({ tone: 'ghost', size: 'small', shape: 'icon' })}
        aria-label={label}
        title={label}
        onPress={() => void copy()}
      >
        <Icon name={isCopied ? 'check' : 'copy'} />
      </RowButton>
    </span>
  )
}
