/**
 * The websocket subprotocol by which a client of ours asks for close codes and re-attach on `/ws/terminal/{id}`.
 * Source: docs/reference/terminal-websocket.md.
 */
export const terminalProtocol = 'quarterdeck.terminal.v1'

/**
 * Close codes of a relayed stream by the reason text of the close frame. `ended`: the shell itself; `agent-gone`: its agent
 * was lost; `revoked`: somebody ended it (signed out, revoked, moved, deleted); `limit`: open for too long; `unknown`: no
 * such session, or the caller may not use it; `no-agent`: the agent did not attach in time; `replaced`: taken over by a newer attach.
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

/** Why a relayed stream was closed. */
export type StreamEnd = keyof typeof streamClose

/** The reason behind a close code; undefined for codes of the websocket protocol itself (1000 to 2999). */
export const parseStreamClose = (code: number): StreamEnd | undefined =>
  (Object.keys(streamClose) as StreamEnd[]).find((end) => streamClose[end] === code)

/** The reason text of a close frame that tells the exit status of a shell: `ended 3`. */
export const toEndReason = (end: StreamEnd, exit: number): string => `${end} ${exit}`

/** The exit status in a reason text; null where it has none. */
export const parseExit = (reason: string): number | null => {
  const exit = /^ended (\d{1,3})$/.exec(reason)?.[1]
  return exit === undefined ? null : Number(exit)
}

/** Bytes of the largest message that a terminal takes: a paste of 512 KiB and its frame; a larger one is closed with 1009. Source: contract http-api 5.1. */
export const maxTerminalMessageBytes = 512 * 1024 + 64
