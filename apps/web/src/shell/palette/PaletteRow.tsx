import { type Ranges, type SearchEntry, sayText } from '@qd/core/actions'
import { resourceByName } from '@qd/core/resources'
import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import { capsOfChord } from '../../act/keys/keys.ts'
import { useTexts } from '../../base/state/texts.ts'
import { useRowStatus } from '../../record/fields/cells.ts'
import { Icon } from '../../ui/drawings/Icon.tsx'
import { Keycap } from '../../ui/Keycap.tsx'
import { StateMark } from '../../ui/StateMark.tsx'
import * as css from './Palette.css.ts'

export function PaletteRow({
  entry,
  ranges,
  value,
  isBusy,
  onChoose,
}: {
  entry: SearchEntry
  ranges: Ranges
  value: string
  isBusy: boolean
  onChoose: () => void
}) {
  const { translator } = useTexts()
  const { goal, reason, chord } = entry
  const off = reason !== null
  return (
    <Command.Item
      value={value}
      onSelect={onChoose}
      className={css.item}
      data-off={off || undefined}
      aria-busy={isBusy}
      ref={(element: HTMLDivElement | null) => element?.setAttribute('aria-disabled', String(off))}
    >
      <span className={css.icon}>
        {isBusy ? (
          <StateMark tone="accent" label="" decorative />
        ) : goal.kind === 'record' ? (
          <RecordMark entry={entry} resource={goal.resource} id={goal.id} />
        ) : (
          <Icon name={entry.icon} />
        )}
      </span>
      <span className={css.label} title={entry.title}>
        <Met text={entry.title} ranges={ranges} />
      </span>
      <span className={css.detail}>{entry.detail}</span>
      {reason && (
        <span className={css.why}>
          <Icon name="info" size={12} />
          {sayText(translator, reason)}
        </span>
      )}
      {!off && chord.web && <Keycap caps={capsOfChord(chord.web)} />}
    </Command.Item>
  )
}

function RecordMark({ entry, resource: name, id }: { entry: SearchEntry; resource: string; id: number }) {
  const resource = resourceByName(name)!
  const status = useRowStatus(resource, id)
  return status ? <StateMark tone={status.tone} label={status.word} /> : <Icon name={entry.icon} />
}

function Met({ text, ranges }: { text: string; ranges: Ranges }) {
  const parts: ReactNode[] = []
  let at = 0
  for (const [from, to] of ranges) {
    parts.push(
      text.slice(at, from),
      <span key={from} className={css.met}>
        {text.slice(from, to)}
      </span>,
    )
    at = to
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  )
}
