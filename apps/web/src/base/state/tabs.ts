import { ports } from '../ports.ts'

/** Messages between tabs, which share one sign-in: it is about to end, or it has changed. */
export type TabMessage = 'leaving' | 'changed'

/** Time for the other tabs to send their pending calls, in ms. */
const graceMs = 50

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('quarterdeck')

/** Resolves when the other tabs have had time to react. */
export function notifyTabs(message: TabMessage): Promise<void> {
  channel?.postMessage(message)
  return new Promise((resolve) => ports.setTimer(resolve, message === 'leaving' ? graceMs : 0))
}

export function onTabMessage(listen: (message: TabMessage) => void): void {
  channel?.addEventListener('message', ({ data }) => listen(data as TabMessage))
}
