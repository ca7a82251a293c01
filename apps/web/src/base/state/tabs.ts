import { ports } from '../ports.ts'

/** What tabs of the same browser tell each other, since they share one sign-in: it is about to end, or it is another one now. */
export type TabMessage = 'leaving' | 'changed'

/** Time that the other tabs get to send their waiting calls, in ms. */
const graceMs = 50

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('quarterdeck')

/** Tells the other tabs, and resolves when they have had time to react. */
export function tellTabs(message: TabMessage): Promise<void> {
  channel?.postMessage(message)
  return new Promise((resolve) => ports.setTimer(resolve, message === 'leaving' ? graceMs : 0))
}

/** Calls `listen` with what other tabs tell. */
export function onTabMessage(listen: (message: TabMessage) => void): void {
  channel?.addEventListener('message', ({ data }) => listen(data as TabMessage))
}
