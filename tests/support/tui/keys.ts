import type { createKeyDecoder, KeyEvent } from '../../../apps/tui/src/screen/terminal/keys.ts'

/** The events that are complete after these bytes. `final`: nothing follows, so a lone escape is the Escape key. */
export function eventsOf(decoder: ReturnType<typeof createKeyDecoder>, bytes: string, final = true): KeyEvent[] {
  decoder.add(bytes)
  const events: KeyEvent[] = []
  for (let event = decoder.next(final); event; event = decoder.next(final)) events.push(event)
  return events
}
