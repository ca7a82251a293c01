import { observable } from '@legendapp/state'

/** What the charts of a server show; it stays while one goes from server to server. */
export const charts$ = observable<{
  /** A name of a span, or `live`. */
  range: string
  /** The servers whose history stands next to that of a subject. */
  compared: { subject: number; others: readonly number[] }
}>({ range: 'live', compared: { subject: 0, others: [] } })

/** Puts the history of others next to that of one server. */
export function compare(subject: number, others: readonly number[]): void {
  charts$.compared.set({ subject, others })
  if (charts$.range.peek() === 'live') charts$.range.set('hour')
}
