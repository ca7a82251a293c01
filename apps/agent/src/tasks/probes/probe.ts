/** What a probe found: `delay` in ms, `data` why it failed or the certificate. */
export interface Finding {
  successful: boolean
  delay?: number
  data?: string
}

/** A probe that found nothing but this. */
export const failure = (data: string): Finding => ({ successful: false, data })
