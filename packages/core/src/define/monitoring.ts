/** One condition of an alert rule as the wire has it (contract http-api 4.9); `duration` counts samples of 3 s. */
export interface RuleCondition {
  readonly type: string
  readonly min?: number | undefined
  readonly max?: number | undefined
  readonly duration?: number | undefined
  readonly cycle_start?: string | null | undefined
  readonly cycle_interval?: number | undefined
  readonly cycle_unit?: string | undefined
  /** 0 all servers except those of `ignore`, 1 only those. */
  readonly cover: number
  readonly ignore?: Readonly<Record<string, boolean>> | undefined
}

/** A measured value against its limit; `metric` is a type of condition or one of a monitor's. Null if nothing is known. */
export interface Reading {
  readonly metric: string
  readonly value: number | null
  readonly limit: number | null
}
