/** The websocket subprotocol by which our clients ask for close codes and re-attach. Source: docs/reference/terminal-websocket.md. */
export const terminalProtocol = 'quarterdeck.terminal.v1'

/**
 * Close codes of a relayed stream by reason. `revoked`: signed out, revoked, moved or deleted. `limit`: open for too long. `unknown`: no such
 * session, or not the caller’s. `no-agent`: the agent didn’t attach in time. `replaced`: taken over by a newer attach.
 */
export const streamClose = {
  ended: 4000,
  'agent-gone': 4001,
  revoked: 4002,
  limit: 4003,
  unknown: 4004,
  'no-agent': 4005,
  replaced: 4006,
} as const

export type StreamEnd = keyof typeof streamClose

/** The reason for a close code; undefined for the websocket protocol’s own codes (1000 to 2999). */
export const parseStreamClose = (code: number): StreamEnd | undefined =>
  (Object.keys(streamClose) as StreamEnd[]).find((end) => streamClose[end] === code)

/** The reason text with a shell’s exit status, such as `ended 3`. */
export const toEndReason = (end: StreamEnd, exit: number): string => `${end} ${exit}`

export const parseExit = (reason: string): number | null => {
  const exit = /^ended (\d{1,3})$/.exec(reason)?.[1]
  return exit === undefined ? null : Number(exit)
}

/** Bytes of the largest message to a terminal: a paste of 512 KiB and its frame. Larger ones are closed with 1009. Source: contract http-api 5.1. */
export const maxTerminalMessageBytes = 512 * 1024 + 64
