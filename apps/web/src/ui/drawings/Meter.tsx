import type { CSSProperties } from 'react'
import { bar, figure, filled, label as labelStyle, line, notchAt, strong, track } from './Meter.css.ts'

export interface MeterProps {
  fraction: number
  text: string
  tone: 'plain' | 'warn' | 'bad'
  notch?: number
  label?: string | undefined
}

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
