import type { Field, Trend } from '@qd/core/define'
import { type FieldKind, optionName } from '@qd/core/define'
import type { Presented } from '@qd/core/fields'
import { widthOf } from '../../base/output/width.ts'
import { type Line, span } from '../terminal/line.ts'
import { stateSpan, wordRole } from './marks.ts'
import { dayBars, meter, sparkline } from './meter.ts'

export interface CellRequest {
  readonly field: Field
  readonly value: unknown
  readonly shown: Presented
  readonly colored: boolean
  readonly bar?: number
}

export interface CellRule {
  /** Minimum useful and preferred width in cells. */
  readonly min: number
  readonly max: number
  readonly most?: number
  /** A cut value misleads: the column gets its `max` before names grow. */
  readonly whole?: true
  draw?(request: CellRequest): Line
}

/** Below `least` the bar is dropped. */
export const barCells = { whole: 6, least: 3 }
export const shareCells = 4
const trendCells = 11
const durationCells = 7
const dayCells = 30

function percentCell({ value, shown, colored, bar = barCells.whole }: CellRequest): Line {
  if (typeof value !== 'number') return textCell(shown)
  const alert = shown.tone === 'bad' && !colored ? '!' : ' '
  const number = span(
    shown.text.padStart(3) + alert,
    wordRole[shown.tone],
    ...(shown.tone === 'bad' ? (['bold'] as const) : []),
  )
  return [number, ...meter(value, shown.tone, bar)]
}

/** `3.1M`: no space before the unit, as in file lists. */
function measureCell({ shown }: CellRequest): Line {
  return [span(shown.number === undefined ? shown.text : `${shown.number}${shown.unit ?? ''}`, wordRole[shown.tone])]
}

/** `3h12min`, or only the larger unit if narrow. */
function durationCell({ shown }: CellRequest): Line {
  if (shown.tone === 'muted') return textCell(shown)
  const whole = shown.text.replaceAll(/\s/g, '')
  const [value = '', unit = ''] = shown.text.split(/\s/)
  return [span(widthOf(whole) > durationCells ? value + unit : whole, wordRole[shown.tone])]
}

function choiceCell({ field, value, shown }: CellRequest): Line {
  const option = field.kind === 'choice' ? optionName(field, value) : null
  if (field.kind !== 'choice' || !field.tones) return textCell(shown)
  return [stateSpan(option, shown.tone), span(` ${shown.text}`, shown.tone === 'bad' ? 'bad' : 'muted')]
}

/** Scaled to its own maximum unless it is a percentage. */
function trendCell({ field, value }: CellRequest): Line {
  const values = value as Trend
  const isOwn = field.kind === 'trend' && field.own
  return sparkline(values, trendCells, isOwn ? Math.max(1e-9, ...values.map(Number)) * 1.001 : 100)
}

/** A flag that can be toggled in the list is a switch. */
function flagCell({ field, value, shown }: CellRequest): Line {
  if (field.kind !== 'flag' || !field.switch) return textCell(shown)
  return [span(value === true ? '[x]' : '[ ]', value === true ? 'accent' : 'muted')]
}

/** Only the first of several addresses; a URL is one. */
function addressCell({ shown }: CellRequest): Line {
  const isUrl = /^\w+:\/\//.test(shown.text)
  return [span(isUrl ? shown.text : shown.text.replace(/\/.*/s, ''), wordRole[shown.tone])]
}

function textCell(shown: Presented): Line {
  return [span(shown.text, shown.tone)]
}

const text: CellRule = { min: 8, max: 28 }

export const cellRules = {
  text,
  note: text,
  secret: { min: 7, max: 7 },
  command: { min: 12, max: 48 },
  schedule: { min: 14, max: 20, whole: true },
  address: { min: 15, max: 15, most: 40, draw: addressCell },
  version: { min: 8, max: 16 },
  number: { min: 7, max: 9 },
  duration: { min: durationCells, max: durationCells, draw: durationCell },
  bytes: { min: 6, max: 6, draw: measureCell },
  rate: { min: 6, max: 6, draw: measureCell },
  percent: { min: shareCells + barCells.whole, max: shareCells + barCells.whole, draw: percentCell },
  trend: { min: trendCells, max: trendCells, draw: trendCell },
  flag: { min: 4, max: 6, draw: flagCell },
  choice: { min: 11, max: 15, draw: choiceCell },
  ref: { min: 8, max: 20 },
  refs: { min: 6, max: 26 },
  list: { min: 8, max: 26 },
  'id-map': { min: 8, max: 26 },
  instant: { min: 10, max: 12 },
  targets: { min: 22, max: 46 },
  part: { min: 4, max: 4 },
  rules: { min: 24, max: 64, most: 120 },
  days: { min: dayCells, max: dayCells, draw: ({ value }) => dayBars(value as readonly number[]) },
  reading: { min: 14, max: 24 },
} satisfies Record<FieldKind, CellRule>

export function drawCell(request: CellRequest): Line {
  const rule: CellRule = cellRules[request.field.kind]
  return rule.draw ? rule.draw(request) : textCell(request.shown)
}
