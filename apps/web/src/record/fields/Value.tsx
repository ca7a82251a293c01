import type { FieldKind, Tone, Trend } from '@qd/core/define'
import type { Presented } from '@qd/core/fields'
import type { ReactNode } from 'react'
import { Meter } from '../../ui/drawings/Meter.tsx'
import { Sparkline } from '../../ui/drawings/Sparkline.tsx'
import { tones } from '../../ui/StateMark.css.ts'
import { ResultWord } from '../../ui/StateMark.tsx'
import * as css from './Cell.css.ts'
import { DaysValue } from './DaysValue.tsx'

export interface Shown extends Presented {
  points?: Trend
  top?: number
  days?: readonly number[]
  label?: string | undefined
}

type Drawer = (shown: Shown) => ReactNode

const level = (tone: Tone) => (tone === 'warn' || tone === 'bad' ? tone : 'plain')
const titled = (shown: Shown, className: string): ReactNode => (
  <span className={className} title={shown.full ?? shown.text}>
    {shown.text}
  </span>
)
const plain: Drawer = (shown) => titled(shown, shown.tone === 'muted' ? css.quiet : css.text)
const quiet: Drawer = (shown) => titled(shown, css.quiet)
const code: Drawer = (shown) => titled(shown, shown.sort === null ? css.quiet : css.code)
const figure: Drawer = (shown) => (
  <span className={shown.sort === null ? css.muted : css.figure[level(shown.tone)]} title={shown.full}>
    {shown.text}
  </span>
)
const measure: Drawer = (shown) =>
  shown.number === undefined ? (
    figure(shown)
  ) : (
    <span className={css.measure} title={shown.full}>
      {shown.number}
      <span className={css.unit}>{shown.unit}</span>
    </span>
  )

const drawers = {
  text: plain,
  note: plain,
  secret: quiet,
  command: code,
  schedule: code,
  address: code,
  version: quiet,
  number: figure,
  duration: figure,
  bytes: measure,
  rate: measure,
  percent: (shown) =>
    typeof shown.sort === 'number' ? (
      <Meter fraction={shown.sort} text={shown.text} tone={level(shown.tone)} label={shown.label} />
    ) : (
      figure(shown)
    ),
  trend: (shown) => <Sparkline points={shown.points ?? []} max={shown.top} tone={level(shown.tone)} />,
  flag: plain,
  choice: (shown) => (shown.tone === 'plain' ? plain(shown) : <ResultWord tone={shown.tone} text={shown.text} />),
  ref: quiet,
  refs: quiet,
  list: quiet,
  'id-map': quiet,
  instant: (shown) => (
    <span className={shown.sort === null ? tones.muted : css.number} title={shown.full}>
      {shown.text}
    </span>
  ),
  targets: quiet,
  rules: plain,
  days: (shown) => <DaysValue percents={shown.days ?? []} />,
  reading: plain,
  part: () => null,
} satisfies Record<FieldKind, Drawer>

export function Value({ kind, shown }: { kind: FieldKind; shown: Shown }) {
  return drawers[kind](shown)
}
