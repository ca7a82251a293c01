/** What a probe found: `delay` in ms, `data` why it failed or the certificate. */
export interface Finding {
  successful: boolean
  delay?: number
  data?: string
  /** Which of the host’s addresses answered, where it has several. */
  address?: string
}

/** The result of a failed probe, with this reason. */
export const failure = (data: string): Finding => ({ successful: false, data })
