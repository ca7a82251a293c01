import { plainText } from '../define/index.ts'
import type { Translator } from '../i18n/index.ts'
import type { ServerEvent } from '../schemas/index.ts'

/** What happened to a server, in one line: "Ran backup: failure". */
export function eventText({ say, has }: Translator, { kind, params }: ServerEvent): string {
  const state = `ui.run.states.${params.state}`
  return plainText(say(`ui.events.${kind}`, { ...params, ...(has(state) && { state: say(state) }) }))
}
