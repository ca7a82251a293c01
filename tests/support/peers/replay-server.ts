import { isMessage, type Recorded } from './agent-fixtures.ts'
import type { AgentEvent, RawServer, ServerCall } from './h2-server.ts'

/** A recorded act of an agent beside what ours did in its place. */
export interface Act {
  expected: Recorded
  actual: AgentEvent
}

/** Our calls by the recording's connection and stream id; to be filled beforehand when the recording begins in mid-connection. */
export type Calls = Map<string, ServerCall>

/** The key of `Calls`. */
export const callKey = ({ connection = 0, stream }: Pick<Recorded, 'connection' | 'stream'>): string =>
  `${connection}/${stream}`

const isTransport = ({ event = '' }: Recorded): boolean => event === 'preface' || event.startsWith('settings')

const serve = (line: Recorded, server: RawServer, call: ServerCall | undefined) => {
  if (line.event === 'goaway') server.goaway()
  else if (line.event === 'tcp-fin') server.drop()
  else if (line.event === 'response-headers') call!.respond()
  else if (line.event === 'trailers') call!.end(line.status!, line.grpcMessageText)
  else if (line.event === 'rst-stream') call!.reset(line.code!)
  else call!.send(line.hex!)
}

/**
 * Plays the server's side of a recording, line by line, and waits at each line of the agent for ours to do the same on
 * the same call. Acts on different calls may overtake each other. Errors: rejects when an expected act does not come.
 */
export const replayServerSide = async (
  lines: Recorded[],
  server: RawServer,
  calls: Calls = new Map(),
): Promise<Act[]> => {
  const acts: Act[] = []
  for (const line of lines.filter((entry) => !isTransport(entry))) {
    const call = calls.get(callKey(line))
    if (line.dir === 'server->agent') {
      serve(line, server, call)
      continue
    }
    const kind = isMessage(line) ? 'message' : line.event
    const actual = await server.take((event) => {
      if (event.event !== kind) return false
      if (event.event === 'open') return event.method === line.method
      return !('call' in event) || event.call === call
    })
    if (actual.event === 'open') calls.set(callKey(line), actual.call)
    acts.push({ expected: line, actual })
  }
  return acts
}
