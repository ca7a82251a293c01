import type { CSSProperties } from 'react'
import { bar, figure, filled, label as labelStyle, line, notchAt, strong, track } from './Meter.css.ts'

/** What a meter shows: `fraction` 0 to 100 fills it, `text` stands at its right, the notch marks the threshold. */
export interface MeterProps {
  fraction: number
  text: string
  tone: 'plain' | 'warn' | 'bad'
  notch?: number
  /** Shown at the left where there is no table head. */
  label?: string | undefined
}

/** A 4 px meter with its number; grey while healthy (tokens.md 6). */
export function Meter({ fraction, text, tone, notch = 90, label }: MeterProps) {
  const style = { [filled]: Math.min(100, Math.max(0, fraction)), [notchAt]: notch } as CSSProperties
  return (
    <span className={line}>
      {label !== undefined && <span className={labelStyle}>{label}</span>}
      <span className={`${track} ${bar[tone]}`} style={style} aria-hidden="true" />
      <span className={`${figure} ${strong[tone]}`}>{text}</span>
    </span>
  )
}
