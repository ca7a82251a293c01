import { isMessage, type Recorded, type Scenario } from './agent-fixtures.ts'
import {
  type CallEvent,
  type ConnectionEvent,
  connectPeer,
  type Peer,
  type PeerCall,
  type PeerTarget,
} from './h2-peer.ts'

/** A recorded act of the server beside what ours did in its place. */
export interface Answer {
  expected: Recorded
  actual: CallEvent | ConnectionEvent
}

/** How the recording is adapted to the server under test. */
export interface ReplayOptions {
  target: PeerTarget
  /** Headers for a recorded `open`; put the secret and the uuid of the test here. */
  headers(line: Recorded): readonly string[] | Record<string, string>
  /** Bytes to send for a recorded message, undefined to leave it out; the recorded ones when absent. */
  message?(line: Recorded): Uint8Array | undefined
}

/**
 * Plays the agent's side of a recording, line by line, and waits at each line of the server for our server's next act
 * on the same call (or connection). HTTP/2 stream ids are fresh. Lines of SETTINGS are left to the library.
 * Errors: rejects when an expected act does not come.
 */
export const replayAgentSide = async (scenario: Scenario, options: ReplayOptions): Promise<Answer[]> => {
  const peers = new Map<number, Peer>()
  const calls = new Map<string, PeerCall>()
  const answers: Answer[] = []
  const peerOf = async (line: Recorded): Promise<Peer> => {
    const key = line.connection ?? 0
    const peer = peers.get(key) ?? (await connectPeer(options.target))
    peers.set(key, peer)
    return peer
  }
  const play = (line: Recorded, peer: Peer, key: string) => {
    const call = () => calls.get(key)!
    if (line.event === 'open') calls.set(key, peer.open(line.method!, options.headers(line)))
    else if (line.event === 'half-close') call().halfClose()
    else if (line.event === 'rst-stream') call().reset(line.code!)
    else if (line.event === 'tcp-fin') peer.destroy()
    else if (isMessage(line)) {
      const bytes = options.message ? options.message(line) : Buffer.from(line.hex!, 'hex')
      if (bytes) call().send(bytes)
    }
  }
  try {
    for (const line of scenario.messages) {
      if (line.event === 'tcp-open' || line.event?.startsWith('settings') || line.event === 'preface') continue
      const peer = await peerOf(line)
      const key = `${line.connection ?? 0}/${line.stream}/${openings(scenario, line)}`
      if (line.dir === 'agent->server') play(line, peer, key)
      else answers.push({ expected: line, actual: await (line.stream ? calls.get(key)! : peer).next() })
    }
    return answers
  } finally {
    for (const peer of peers.values()) peer.destroy()
  }
}

/** How often the stream of a line had been opened by then: recordings of several connections may reuse a stream id. */
const openings = (scenario: Scenario, line: Recorded): number =>
  scenario.messages
    .slice(0, scenario.messages.indexOf(line) + 1)
    .filter((other) => other.event === 'open' && other.stream === line.stream && other.connection === line.connection)
    .length
